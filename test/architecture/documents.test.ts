// Derived documents: up to date, valid, complete.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { readPasswordRules } from '../../config/passwords.js';
import { readPlans } from '../../config/plans.js';
import { derivedDocuments } from '../../scripts/derived-documents.js';
import { ERRORS, type ErrorCode } from '../../src/errors.js';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { routeErrors } from '../../src/http/openapi/route-errors.js';
import { allRoutes, type RouteServices } from '../../src/http/routes/index.js';
import { examplesOf } from '../support/examples.js';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: object[];
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
  readonly parameters?: readonly { readonly name: string; readonly description?: string; readonly schema: object }[];
}

/** Where a schema has a time, a whole number or a map, and no example of it. */
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

describe('derived documents', () => {
  for (const [name, text] of Object.entries(derivedDocuments())) {
    it(`docs/${name} is what \`npm run docs\` writes`, () => {
      expect(readFileSync(docs + name, 'utf8') === text, 'run `npm run docs`').to.equal(true);
    });
  }

  const document = JSON.parse(derivedDocuments()['openapi.json']!) as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
    components: { responses: Record<string, Response> };
  };
  const resolved = (response: Response | { readonly $ref: string }): Response =>
    '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  it('is valid OpenAPI 3.1', async () => {
    const outcome = await new Validator().validate(structuredClone(document));
    expect(outcome.errors ?? []).to.deep.equal([]);
    expect(outcome.valid).to.equal(true);
    expect(document.openapi).to.match(/^3\.1\./);
  });

  it('describes every route that is not hidden, once', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const routes = allRoutes({} as RouteServices).filter(({ hidden }) => hidden !== true);
    expect(described.sort()).to.deep.equal(routes.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).to.equal(operations.length);
  });

  it('describes every parameter, and every answer with its schema', () => {
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

  it('states the password length of the deployment', () => {
    const text = (minPasswordCharacters: number) =>
      JSON.stringify(
        openApiDocument({
          routes: allRoutes({ minPasswordCharacters } as RouteServices),
          version: '0.0.0',
          publicUrl: 'https://icons.example',
          plans: readPlans(),
        }),
      );
    const told = (minimum: number) => `At least ${minimum} characters by this deployment's configuration`;
    expect(text(15).split(told(15)).length - 1).to.equal(3);
    expect(text(15)).to.not.match(/\b12 (to|characters)/);
    expect(JSON.stringify(document)).to.include(told(readPasswordRules().minCharacters));
  });

  it('has only examples that match their schema', () => {
    const examples = allRoutes({} as RouteServices).flatMap(examplesOf);
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

  it('has an example of every time, number and map in responses', () => {
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
    const answered = new Set<ErrorCode>(allRoutes({} as RouteServices).flatMap(routeErrors));
    const anywhere: ErrorCode[] = ['route_not_found'];
    expect(Object.keys(ERRORS).sort()).to.deep.equal([...new Set([...answered, ...anywhere])].sort());
  });

  it('documents Retry-After for every 503 and 429', () => {
    for (const [code, { status, ...rest }] of Object.entries(ERRORS)) {
      if (status === 503) expect(rest, code).to.have.property('retryAfterSeconds');
    }
  });
});
