// Tests of the size of error responses, for every route.
import { expect } from 'chai';
import type { AccountId } from '../../../src/accounts/account.js';
import { newApiKey } from '../../../src/accounts/api-key.js';
import type { ErrorDetail } from '../../../src/platform/errors.js';
import { IS_WHOLE } from '../../support/extent.js';
import { benchOf, closeBench, nameOf, ROUTES } from '../../support/route-bench.js';
import { kindOf } from '../../support/route-calls.js';

const MAX_BYTES = 8192;
/** Length of long input, in characters. The headers of a request may have 16 KB. */
const LONG = 12_000;

/** Reads each body, even of successful responses, because an unread body would prevent reuse of the connection. */
async function expectSmall(response: Response, what: string): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, what).to.be.below(500);
  if (response.status < 400 || response.headers.get('content-type')?.startsWith('image/') === true) return;
  expect(bytes.length, what).to.be.at.most(MAX_BYTES);
  const { message, details = [] } = JSON.parse(bytes.toString()) as { message: string; details?: ErrorDetail[] };
  expect(details.length, what).to.be.at.most(10);
  const lists = details.flatMap(({ allowed }) => (allowed === undefined ? [] : [JSON.stringify(allowed)]));
  expect(new Set(lists).size, `${what}: each list of allowed values once`).to.equal(lists.length);
  const more = /\(and (\d+) more\)$/.exec(message)?.[1];
  expect(Number(more ?? 0), `${what}: the number of faults that were looked for`).to.be.at.most(1000);
}

const many = (count: number, make: (index: number) => string, separator: string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator);

function hostileQueries(known: readonly string[]): string[] {
  return [
    many(2500, (index) => `p${index}`, '&'),
    many(99, (index) => `${index}${'n'.repeat(100)}=1`, '&'),
    `${'n'.repeat(LONG)}=1`,
    `${'%01'.repeat(LONG / 3)}=1`,
    `${'n'.repeat(LONG / 2)}=1&${'n'.repeat(LONG / 2)}=1`,
    '&'.repeat(LONG),
    `=${'='.repeat(LONG)}`,
    ...known.flatMap((name) => [
      `${name}=${'v'.repeat(LONG)}`,
      `${name}=${'%01'.repeat(LONG / 3)}`,
      `${name}=${'%01'.repeat(600)}`,
      `${name}=${'%F0%9F%98%80'.repeat(900)}`,
    ]),
    many(known.length, (index) => `${known[index]!}=%01${'v'.repeat(200)}`, '&'),
  ];
}

function hostileBodies(fields: readonly string[]): string[] {
  const names = ['extra', ...fields];
  return [
    `{${many(6000, (index) => `"${index}":0`, ',')}}`,
    `{${many(900, (index) => `"${index}${'n'.repeat(50)}":0`, ',')}}`,
    `{"${'n'.repeat(64_000)}":0}`,
    `{"${'\\u0001'.repeat(10_000)}":0}`,
    `{${many(800, (index) => `"${'n'.repeat(70)}${index % 400}":0`, ',')}}`,
    `{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`,
    `{"a":"${'\\"'.repeat(32_000)}`,
    ...names.flatMap((name) => [
      `{"${name}":[${many(32_000, () => '0', ',')}]}`,
      `{"${name}":[${many(900, () => '0', ',')}]}`,
      `{"${name}":[${many(90, () => '0', ',')}]}`,
      `{"${name}":[${many(100, () => `"${'x'.repeat(600)}"`, ',')}]}`,
      `{"${name}":"${'\\u0001'.repeat(10_000)}"}`,
      `{"${name}":{${many(900, (index) => `"${index}":{}`, ',')}}}`,
    ]),
    // Valid fields and one invalid field.
    `{${fields.map((name) => `"${name}":["github"]`).join(',')},"fields":[${many(32_700, () => '0', ',')}]}`.slice(
      0,
      65_000,
    ),
  ];
}

/**
 * Kind of route (credential and method) → one route of this kind. All routes of a kind read their input with the same
 * code.
 */
const OF_EACH_KIND = new Map(ROUTES.map((route) => [`${kindOf(route)} ${route.method}`, route]));
/**
 * Tested routes: normally one route of each kind, because all routes share their validation code. `npm run test:all`
 * tests all routes.
 */
const SWEPT = IS_WHOLE ? ROUTES : [...OF_EACH_KIND.values()];

describe('every error', () => {
  after(closeBench);

  for (const route of SWEPT) {
    describe(nameOf(route), () => {
      const bench = benchOf(route);
      const strangers = { 'X-API-Key': newApiKey('AccountId012' as AccountId).raw };

      it('is at most 8 KB for any URL', async () => {
        const { call, send } = bench();
        const [path = ''] = call.path.split('?');
        const parameters = Object.keys(route.params?.shape ?? {});
        const paths = parameters.flatMap((name) =>
          ['s'.repeat(LONG), '%01'.repeat(LONG / 3), '%E2%82%AC'.repeat(1000), `s${'%2F'.repeat(50)}`].map((value) =>
            route.path.replace(`{${name}}`, value),
          ),
        );
        const queries = hostileQueries(Object.keys(route.query?.shape ?? {}));
        for (const hostile of [
          ...queries.map((query) => `${path}?${query}`),
          ...paths,
          `${path}/${'x/'.repeat(LONG / 2)}`,
        ]) {
          await expectSmall(await send({ path: hostile }), hostile.slice(0, 80));
          if (kindOf(route) === 'key')
            await expectSmall(await send({ path: hostile, credentials: strangers }), hostile.slice(0, 80));
        }
      });

      if (OF_EACH_KIND.get(`${kindOf(route)} ${route.method}`) === route) {
        it('is at most 8 KB for any headers', async () => {
          const { send } = bench();
          for (const name of [
            'X-API-Key',
            'Authorization',
            'Cookie',
            'Origin',
            'Content-Type',
            'If-None-Match',
            'If-Modified-Since',
            'X-Request-Id',
            'X-Forwarded-For',
            'Expect-CT',
            'Accept',
          ]) {
            for (const value of [
              'v'.repeat(LONG),
              ','.repeat(LONG),
              ';'.repeat(LONG),
              `Bearer ${'a.'.repeat(LONG / 2)}`,
              `[${':'.repeat(LONG)}`,
            ]) {
              await expectSmall(await send({ headers: { [name]: value } }), `${name}: ${value.slice(0, 20)}`);
            }
          }
        });
      }

      if (route.method !== 'GET') {
        it('is at most 8 KB for any body', async () => {
          const { send } = bench();
          for (const body of hostileBodies(Object.keys(route.body?.shape ?? {}))) {
            await expectSmall(await send({ body }), body.slice(0, 80));
            if (kindOf(route) === 'key')
              await expectSmall(await send({ body, credentials: strangers }), body.slice(0, 80));
          }
        });
      }
    });
  }
});
