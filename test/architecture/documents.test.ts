// Documents that are generated from code: up to date, valid, complete, and consistent with the code's validation.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readPasswordRules } from '../../config/passwords.js';
import { limitsText } from '../../src/accounts/limits-text.js';
import { readPlans } from '../../config/plans.js';
import { derivedDocuments } from '../../scripts/derived-documents.js';
import { glyphOutlines } from '../../scripts/glyph-outlines.js';
import { email } from '../../src/accounts/fields.routes.js';
import { LINK_TOKEN_PATTERN } from '../../src/accounts/email-link.js';
import { parseColor } from '../../src/platform/text/color.js';
import { PICTURE_QUERIES } from '../../src/pictures/picture-request.js';
import { BUCKETS, TIERS, type Plan } from '../../src/accounts/plan.js';
import { ruleText, type QueryRule } from '../../src/platform/web/query-rules.js';
import { ERRORS, type ErrorCode } from '../../src/platform/errors.js';
import { documentedPath, openApiDocument } from '../../src/platform/http/openapi/document.js';
import { routeErrors } from '../../src/platform/http/openapi/route-errors.js';
import { allRoutes } from '../support/features.js';
import { examplesOf } from './examples.js';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly 'x-parameter-rules'?: readonly QueryRule[];
  readonly security: object[];
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: object }>> };
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: unknown;
    readonly description?: string;
    readonly schema: {
      readonly example?: unknown;
      readonly examples?: readonly unknown[];
      readonly type?: string;
      readonly enum?: unknown;
      readonly default?: string | number;
    };
  }[];
}

/**
 * Returns the places of schemas for times, integers and maps that have no example. `where`: place of `node` in the
 * document.
 */
function withoutExample(node: unknown, where: string): string[] {
  if (Array.isArray(node)) return node.flatMap((part, index) => withoutExample(part, `${where}/${index}`));
  if (typeof node !== 'object' || node === null || 'example' in node) return [];
  const { format, type, additionalProperties } = node as {
    readonly format?: string;
    readonly type?: string;
    readonly additionalProperties?: unknown;
  };
  const isInvented =
    format === 'date-time' || format === 'date' || type === 'integer' || typeof additionalProperties === 'object';
  return [
    ...(isInvented ? [where] : []),
    ...Object.entries(node).flatMap(([name, part]) => withoutExample(part, `${where}/${name}`)),
  ];
}

interface Described {
  readonly description?: string;
  readonly schema?: Described;
  readonly const?: unknown;
  readonly $ref?: string;
}

/**
 * Returns the paths of fields and headers with a description of fewer than two words. A `$ref` uses the description of
 * its target.
 */
function undescribed(node: unknown, where: string, referred: (reference: string) => Described): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isPoor = ({ description, schema, const: only, $ref }: Described): boolean =>
    only === undefined &&
    !/\S\s+\S/.test(
      description ?? schema?.description ?? ($ref === undefined ? '' : (referred($ref).description ?? '')),
    );
  return Object.entries(node).flatMap(([name, part]: [string, unknown]) => {
    if (name === 'example' || name === 'examples') return [];
    const named = name === 'properties' || name === 'headers' ? Object.entries(part as Record<string, Described>) : [];
    return [
      ...named.filter(([, one]) => isPoor(one)).map(([field]) => `${where} ${field}`),
      ...undescribed(part, name === 'schema' || name === 'content' ? where : `${where} ${name}`, referred),
    ];
  });
}

const ROUTES = await allRoutes();

describe('derived documents', () => {
  for (const [name, text] of Object.entries(derivedDocuments())) {
    it(`docs/${name} is what \`npm run docs\` writes`, () => {
      expect(readFileSync(docs + name, 'utf8') === text, 'run `npm run docs`').to.equal(true);
    });
  }

  it('src/pictures/glyphs.ts is what `npm run docs` writes', async () => {
    const written = readFileSync(`${docs}../src/pictures/glyphs.ts`, 'utf8');
    expect(written === (await glyphOutlines()), 'run `npm run docs`').to.equal(true);
  });

  const document = JSON.parse(derivedDocuments()['openapi.json']!) as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Record<string, Response>; schemas: Record<string, object> };
    tags: { name: string; description: string }[];
  };
  const schemaOf = (method: string, path: string, parameter: string) =>
    document.paths[path]?.[method]?.parameters?.find(({ name }) => name === parameter)?.schema;
  const resolved = (response: Response | { readonly $ref: string }): Response =>
    '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  it('gives bodies that are files or texts a schema that generators can send', () => {
    const bodies = operations.flatMap(({ operation: { requestBody } }) => Object.entries(requestBody?.content ?? {}));
    for (const [media, { schema }] of bodies) expect(schema, media).to.be.an('object');
    const others = bodies.filter(([media]) => !media.endsWith('json'));
    expect(Object.fromEntries(others.map(([media, { schema }]) => [media, schema]))).to.deep.equal({
      'application/zip': { type: 'string', format: 'binary' },
      'image/svg+xml': { type: 'string' },
    });
  });

  it('describes the manifest of a favicon as JSON', () => {
    const { responses } = document.paths['/v1/favicon/{name}/{file}']!.get!;
    const { schema } = resolved(responses['200']!).content!['application/manifest+json']!;
    expect(schema).to.deep.equal({ type: 'object' });
  });

  it('has examples of header fields that HTTP allows', () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    const examples = parameters
      .filter((one) => one.in === 'header')
      .flatMap(({ name, schema, example }) => {
        const given = example ?? schema.example ?? schema.examples?.[0];
        return typeof given === 'string' ? [[name, given] as const] : [];
      });
    expect(examples.map(([name]) => name)).to.include('stripe-signature');
    for (const [name, value] of examples)
      expect(new Headers([[name, value]]).get(name))
        .to.equal(value)
        .and.match(/^[!-~]+$/);
  });

  // The test checks only the version, because `npm run lint` validates the document.
  it('is OpenAPI 3.1', () => {
    expect(document.openapi).to.match(/^3\.1\./);
  });

  it('describes every route that is not hidden, once', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const routes = ROUTES.filter(({ hidden }) => hidden !== true);
    expect(described.sort()).to.deep.equal(routes.map((route) => `${route.method} ${documentedPath(route)}`).sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).to.equal(operations.length);
  });

  it('describes every parameter, and every response with its schema', () => {
    for (const { path, operation } of operations) {
      expect(operation.summary, path).to.be.a('string').and.not.empty;
      for (const { name, description, schema } of operation.parameters ?? []) {
        expect(description, `${path} ${name}`).to.be.a('string').and.not.empty;
        expect(schema, `${path} ${name}`).to.not.have.property('allowed');
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        const { content } = resolved(response);
        if (Number(status) >= 400 || (status === '200' && !['/docs'].includes(path)))
          expect(content, `${path} ${status}`).to.be.an('object');
      }
    }
  });

  it('describes every operation, field and header in more than a word, so that an agent needs nothing else', () => {
    const referred = (reference: string): Described =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as Described;
    expect(operations.filter(({ operation }) => !operation.description).map(({ path }) => path)).to.deep.equal([]);
    expect(undescribed({ paths: document.paths, components: document.components }, '', referred)).to.deep.equal([]);
  });

  it('documents the minimum length of passwords of the deployment', async () => {
    const text = async (minPasswordCharacters: number) =>
      JSON.stringify(
        openApiDocument({
          routes: await allRoutes({ minPasswordCharacters }),
          version: '0.0.0',
          publicUrl: 'https://icons.example',
          limits: limitsText(readPlans()),
        }),
      );
    const told = (minimum: number) => `${minimum} (the minimum of this deployment) to `;
    expect((await text(15)).split(told(15)).length - 1).to.equal(3);
    expect(await text(15)).to.not.match(/\b12 (to|characters)/);
    expect(await text(15)).to.include('"minLength":15');
    expect(JSON.stringify(document)).to.include(told(readPasswordRules().minCharacters));
  });

  it('documents the range or values of every number, and defaults that hold with any other parameter', () => {
    const parameters = document.paths['/v1/webp/{slug}']!.get!.parameters!;
    for (const { name, schema } of parameters) {
      if (schema.type !== 'integer' || schema.enum !== undefined) continue;
      expect(schema, name).to.include.keys('minimum', 'maximum');
    }
    const defaults = parameters.flatMap(({ name, schema }) =>
      schema.default === undefined ? [] : [[name, schema.default] as const],
    );
    expect(Object.fromEntries(defaults)).to.deep.equal({
      greyscale: 0,
      scale: 1,
      padding: 0,
      background: 'transparent',
      radius: 0,
      fallback: '404',
    });
    const query = PICTURE_QUERIES.webp;
    for (const size of [{ size: '8' }, { width: '8', on: 'dark' }]) {
      const sent = Object.fromEntries(defaults.map(([name, value]) => [name, String(value)]));
      expect(query.safeParse({ ...sent, ...size }).success).to.equal(true);
    }
  });

  it('documents slugs in either case, colors, tokens and e-mail addresses as they are accepted', () => {
    const { schemas } = document.components;
    expect(schemaOf('get', '/v1/svg/{slug}', 'slug')).to.have.property('pattern', '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$');
    expect(schemaOf('get', '/v1/svg/{slug}', 'color')).to.have.nested.property(
      'anyOf[0].$ref',
      '#/components/schemas/Color',
    );
    const [hex, names] = (schemas.Color as unknown as { anyOf: [{ pattern: string }, { enum: string[] }] }).anyOf;
    const pattern = new RegExp(hex.pattern);
    for (const color of [
      '#f00',
      'F00A',
      '1d9bf0',
      '#1D9BF080',
      'red',
      'rebeccapurple',
      'reddish',
      'f',
      '12345',
      '##f00',
    ])
      expect(pattern.test(color) || names.enum.includes(color), color).to.equal(parseColor(color) !== undefined);
    const reset = JSON.stringify(document.paths['/auth/reset-password']!.post);
    expect(reset).to.include(JSON.stringify(LINK_TOKEN_PATTERN.source));
    const { requestBody } = document.paths['/auth/register']!.post as unknown as { readonly requestBody: object };
    const register = JSON.stringify(requestBody);
    expect(register).to.include('"format":"idn-email"');
    const typed = new RegExp(JSON.parse(`"${/"pattern":"([^"]*@[^"]*)"/.exec(register)?.[1]}"`) as string);
    for (const address of ['ada@example.com', "a&b'/{c}=d@example.co.uk", 'user@почта.рф', 'a@xn--80a1acny.xn--p1ai'])
      expect([typed.test(address), email.safeParse(address).success], address).to.deep.equal([true, true]);
    for (const address of [
      'ada',
      'a b@example.com',
      '.a@example.com',
      'a@example',
      'a@example.1',
      'a@ü.c',
      'jürgen@example.com',
    ])
      expect([typed.test(address), email.safeParse(address).success], address).to.deep.equal([false, false]);
  });

  it('documents the rules between parameters, in words and for programs', () => {
    const rules = operations.flatMap(({ path, operation }) =>
      (operation['x-parameter-rules'] ?? []).map((rule) => {
        expect(operation.description, path).to.include(ruleText(rule));
        return [path, rule] as const;
      }),
    );
    expect(rules).to.deep.include.members([
      ['/v1/brand', { exactlyOneOf: ['domain', 'url', 'email', 'name'] }],
      ['/v1/search', { atLeastOneOf: ['q', 'category', 'license', 'variant', 'color'] }],
      ['/v1/svg/{slug}', { parameter: 'size', notWith: ['width', 'height'] }],
      ['/v1/logo/{domain}', { parameter: 'quality', onlyWith: { parameter: 'format', value: 'webp' } }],
      [
        '/v1/logo/{domain}',
        { parameter: 'color', value: 'currentColor', onlyWith: { parameter: 'format', value: 'svg' } },
      ],
    ]);
  });

  it('names the buckets of the usage report, and the codes of every error status', () => {
    const { schemas, responses } = document.components;
    expect(schemas.UsageReport).to.have.nested.property('properties.endpoints.additionalProperties', false);
    expect(schemas.UsageReport)
      .to.have.nested.property('properties.endpoints.properties')
      .that.has.keys(...BUCKETS);
    for (const [id, { content }] of Object.entries(responses)) {
      const codes = id.split('.').filter((code) => code !== 'metered');
      expect(content?.['application/json'], id)
        .to.have.nested.property('schema.allOf[1].properties.error.enum')
        .that.deep.equals(codes);
    }
  });

  it('has a table of the limits in config/plans.json', () => {
    const usage = document.tags.find(({ name }) => name === 'Usage')!.description;
    const plans = readPlans();
    const row = (name: string, limitOf: (plan: Plan) => number | null) =>
      `| ${[name, ...TIERS.map((tier) => limitOf(plans[tier])?.toLocaleString('en-US') ?? 'unlimited')].join(' | ')} |`;
    for (const bucket of BUCKETS) expect(usage).to.include(row(bucket, ({ daily }) => daily[bucket]));
    expect(usage).to.include(row('per second', ({ burstPerSecond }) => burstPerSecond));
  });

  it('shows only examples that their schemas accept', () => {
    const examples = ROUTES.flatMap(examplesOf);
    expect(examples.map(({ value }) => value)).to.include.members([
      'ada@example.com',
      'github',
      'correct horse battery',
      '128',
      'gihtub',
      900,
    ]);
    expect(
      examples
        .filter(({ schema, value }) => !schema.safeParse(value).success)
        .map(({ where, value }) => `${where}: ${String(value)}`),
    ).to.deep.equal([]);
  });

  it('shows an example of every time, number and map in responses, since reference pages invent one otherwise', () => {
    const { components } = document as unknown as { readonly components: { readonly schemas: object } };
    const answered = operations.flatMap(({ path, method, operation }) =>
      Object.values(operation.responses).map(
        (response) => [`${method} ${path}`, resolved(response).content?.['application/json']?.schema] as const,
      ),
    );
    const missing = [...Object.entries(components.schemas), ...answered].flatMap(([name, schema]) =>
      withoutExample(schema, name),
    );
    expect(missing).to.deep.equal([]);
  });

  it('documents only error codes that a route can answer', () => {
    const answered = new Set<ErrorCode>(ROUTES.flatMap(routeErrors));
    const anywhere: ErrorCode[] = ['route_not_found'];
    expect(Object.keys(ERRORS).sort()).to.deep.equal([...new Set([...answered, ...anywhere])].sort());
  });

  it('types JSON of other media as objects, and shows only headers that can be sent', () => {
    const text = JSON.stringify(document);
    expect(text).to.not.match(/"application\/[\w.+-]*json":\{"schema":\{"type":"string"/);
    expect(JSON.stringify(document.paths['/v1/billing/webhook'])).to.match(/"t=\d+,v1=[0-9a-f]{64}"/);
  });

  it('gives every 503 a Retry-After', () => {
    for (const [code, { status, ...rest }] of Object.entries(ERRORS)) {
      if (status === 503) expect(rest, code).to.have.property('retryAfterSeconds');
    }
  });
});
