// Tests of request bodies, for every route.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { z } from 'zod';
import type { Route } from '../../../src/platform/http/route.js';
import { expectError } from '../../support/expect-error.js';
import { benchOf, closeBench, nameOf, ROUTES, type RouteBench } from '../../support/route-bench.js';
import { credentialsOf, kindOf } from '../../support/route-calls.js';

const NOT_TEXT = [null, 1, {}, [], [{}], true, { $ne: null }, { $gt: '' }];

function isAllowed({ body }: Route, field: string, value: unknown): boolean {
  const schema: unknown = body?.shape[field];
  return schema instanceof z.ZodType && schema.safeParse(value).success;
}

const DEEP = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;

/** Sends the valid request with this body as a stream, and therefore without Content-Length. */
function streamed(
  { server, customer, call }: RouteBench,
  route: Route,
  text: string,
  type = 'application/json',
): Promise<Response> {
  const headers = { 'Content-Type': type, ...credentialsOf(kindOf(route), customer) };
  const body = new Blob([text]).stream();
  return fetch(server.base + call.path, { method: route.method, headers, body, duplex: 'half' });
}

/**
 * Returns true for routes whose bodies other tests cover: routes that ignore the body, routes with a signature, and
 * binary routes without key authentication.
 */
function takesBytes(route: Route): boolean {
  return (
    route.ignoresBody === true || route.auth === 'signature' || (route.auth !== 'key' && route.binary !== undefined)
  );
}

describe('every body', () => {
  after(closeBench);

  for (const route of ROUTES.filter((one) => one.method !== 'GET' && !one.body && !takesBytes(one))) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);

      it('rejects a body', async () => {
        const { rejects } = bench();
        for (const body of [
          '{"currentPassword":"secret"}',
          '[]',
          'null',
          '0',
          '"text"',
          '{"a":',
          '{"__proto__":{}}',
          DEEP,
          ' '.repeat(60_000) + 'x',
          'x'.repeat(1_000_000),
          new Uint8Array([0xff]),
        ]) {
          const rejected = await rejects({ body }, 400, 'invalid_request');
          expect(rejected.details).to.deep.equal([
            { field: 'body', reason: 'this request must not have a body', allowed: 'no body, or {}' },
          ]);
        }
        for (const headers of [
          { 'Content-Type': 'text/plain' },
          { 'Content-Type': '' },
          { 'Content-Encoding': 'gzip' },
        ]) {
          await rejects({ body: '{}', headers }, 400, 'invalid_request');
        }
      });

      it('rejects a body without a length', async () => {
        await expectError(await streamed(bench(), route, '{"a":1}'), 400, 'invalid_request');
        expect((await streamed(bench(), route, '{}')).status).to.be.below(300);
      });

      for (const type of ['application/json', 'application/octet-stream']) {
        it(`accepts an empty stream as no body, with the type ${type}`, async () => {
          expect((await streamed(bench(), route, '', type)).status).to.be.below(300);
        });
      }

      it('may be {} if the route has no body, with any case of its type', async () => {
        const { send } = bench();
        const headers = { 'Content-Type': 'Application/JSON' };
        expect((await send({ body: ' {} ', headers })).status).to.be.below(300);
      });
    });
  }

  for (const route of ROUTES.filter(({ method }) => method === 'GET')) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);

      /** Sends a body with any method, even with GET, which `fetch` does not allow. */
      async function statusOf(body: string): Promise<number | undefined> {
        const { server, customer, call } = bench();
        const fields = { 'Content-Type': 'application/json', 'Content-Length': body.length };
        const sent = request(server.base + call.path, {
          headers: { ...credentialsOf(kindOf(route), customer), ...fields },
        });
        sent.end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
        return response.statusCode;
      }

      it('rejects a body, except an empty one or {}', async () => {
        for (const body of ['{"slugs":[]}', 'x', '[]']) expect(await statusOf(body), body).to.equal(400);
        for (const body of ['', '{}']) expect(await statusOf(body), body).to.be.below(400);
      });
    });
  }

  for (const route of ROUTES) {
    const shape = route.body?.shape;
    if (!shape) continue;
    describe(nameOf(route), () => {
      const bench = benchOf(route);
      const fields = Object.keys(shape);
      const mayBeLeftOut = fields.length === 0;
      const required = fields.filter((field) => !z.safeParse(shape[field], undefined).success);

      // Skips routes with the session cookie. Without a body, they respond that JSON is required.
      if (required.length > 0 && route.auth !== 'cookie') {
        it('names the missing fields if there is no body', async () => {
          const { server, customer, call } = bench();
          const response = await fetch(server.base + call.path, {
            method: route.method,
            headers: credentialsOf(kindOf(route), customer),
          });
          const rejected = await expectError(response, 400, 'invalid_request');
          expect((rejected.details as { readonly field: string }[]).map(({ field }) => field)).to.have.members(
            required,
          );
        });
      }

      it('is read as JSON with any case of its type', async () => {
        const { send } = bench();
        const headers = { 'Content-Type': 'Application/Json ; Charset=UTF-8' };
        expect((await send({ headers })).status).to.be.below(400);
      });

      it('rejects bodies of another type, encoding or shape', async () => {
        const { call, rejects } = bench();
        await rejects({ body: '{"a":' }, 400, 'invalid_json');
        if (!mayBeLeftOut) await rejects({ body: '' }, 400, 'invalid_json');
        for (const body of ['[]', '"text"', 'null']) {
          const rejected = await rejects({ body }, 400, 'invalid_request');
          expect(rejected.details).to.deep.equal([{ field: 'body', reason: 'must be a JSON object', allowed: fields }]);
        }
        await rejects({ body: DEEP }, 400, 'invalid_request');
        await rejects({ body: '{"__proto__":{"a":1}}' }, 400, 'invalid_request');
        if (required.length > 0) await rejects({ body: '{}' }, 400, 'invalid_request');
        const notUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
        await rejects({ body: notUtf8 }, 400, 'invalid_json');
        await rejects({ headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type');
        await rejects(
          { headers: { 'Content-Type': 'application/json; charset=latin1' } },
          415,
          'unsupported_media_type',
        );
        await rejects(
          { body: '{', headers: { 'Content-Type': 'application/json; charset="UTF-8"' } },
          400,
          'invalid_json',
        );
        for (const coding of ['gzip', 'deflate', 'br']) {
          await rejects({ body: '{}', headers: { 'Content-Encoding': coding } }, 415, 'unsupported_media_type');
        }
        const text = JSON.stringify(call.body);
        const twice = text === '{}' ? '{"a":1,"a":1}' : `${text.slice(0, -1)},${text.slice(1)}`;
        expect(await rejects({ body: twice }, 400, 'invalid_request')).to.have.nested.property(
          'details[0].reason',
          'given more than once',
        );
        const unknown = await rejects(
          { body: JSON.stringify({ ...(call.body as object), extra: 1 }) },
          400,
          'invalid_request',
        );
        expect(unknown).to.have.nested.property('details[0].field', 'extra');
      });

      it('rejects a body that is too large, and closes its connection', async () => {
        const { send, rejects } = bench();
        await rejects({ body: JSON.stringify({ a: 'x'.repeat(70_000) }) }, 413, 'payload_too_large');
        // Accepts a closed connection as the result: the server closes the connection after the response, and some
        // clients notice this before they read the response.
        const outcome = await streamed(bench(), route, `{"a":"${'x'.repeat(1_000_000)}"}`).then(
          ({ status }) => status,
          () => 'closed',
        );
        expect(outcome).to.be.oneOf([413, 400, 'closed']);
        expect((await send()).status).to.be.below(500);
      });

      for (const field of fields) {
        it(`names an invalid ${field}, stores nothing, and repeats nothing`, async () => {
          const { server, customer, call, send } = bench();
          const before = await server.records(customer);
          const withField = (value: unknown) =>
            send({ body: JSON.stringify({ ...(call.body as object), [field]: value }) });
          // Skips valid values: lists may be empty, limits may be null, and JSON-RPC parameters may be any object.
          const wrong = NOT_TEXT.filter((value) => !isAllowed(route, field, value));
          expect(wrong).to.have.length.of.at.least(NOT_TEXT.length - 3);
          for (const value of wrong) {
            const rejected = await expectError(await withField(value), 400, 'invalid_request');
            expect(rejected).to.have.nested.property('details[0].allowed');
            expect(JSON.stringify(rejected.details)).to.not.match(
              /Invalid input|expected|Unrecognized|Too (small|big)/,
            );
          }
          for (const value of ['nul \0 byte', 'lone \ud800 surrogate', '\udc00 another', 'secret'.repeat(1000)]) {
            const rejected = await expectError(await withField(value), 400, 'invalid_request');
            expect(rejected)
              .to.have.nested.property('details[0].field')
              .that.matches(new RegExp(`^${field}`));
            expect(JSON.stringify(rejected)).to.not.match(/nul |lone |another|secret/);
          }
          await expectError(await withField('x'.repeat(1_000_000)), 413, 'payload_too_large');
          expect(await server.records(customer)).to.equal(before);
        });
      }
    });
  }
});
