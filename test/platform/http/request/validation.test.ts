// Limits of request input that apply before the input is validated with a schema.
import { expect } from 'chai';
import { z } from 'zod';
import { parse, rejectKeyInQuery } from '../../../../src/platform/http/request/validation.js';
import { nameOf, ROUTES } from '../../../support/route-bench.js';
import { thrownBy } from '../../../support/thrown.js';

interface Property {
  readonly type?: string;
  readonly maxItems?: number;
  readonly items?: object;
  readonly additionalProperties?: object;
}

describe('validation', () => {
  it('reads no item of a list that is too long', () => {
    let seen = 0;
    const item = z.unknown().refine(() => {
      seen += 1;
      return false;
    });
    const schema = z.strictObject({ plain: z.array(item).max(100).optional(), items: z.array(item).min(1).max(3) });
    for (const [input, field] of [
      [{ items: new Array(32_700).fill(0) }, 'items'],
      [{ plain: new Array(101).fill(0), items: [0] }, 'plain'],
    ] as const) {
      expect(thrownBy(() => parse(schema, input, 'field')).details).to.deep.equal([
        { field, reason: `more than ${field === 'items' ? 3 : 100} items` },
      ]);
    }
    expect(seen).to.equal(0);
    expect(thrownBy(() => parse(schema, { items: [0, 0, 0] }, 'field')).details).to.have.length(3);
    expect(seen).to.equal(3);
  });

  it('rejects more parameters than any route has', () => {
    expect(thrownBy(() => rejectKeyInQuery('a&'.repeat(100))).details).to.deep.equal([
      { field: 'query', reason: 'more than 100 parameters' },
    ]);
    rejectKeyInQuery('a&'.repeat(99));
  });

  for (const route of ROUTES.filter(({ body }) => body !== undefined)) {
    it(`${nameOf(route)} bounds its lists, and accepts no nested lists`, () => {
      const { properties = {} } = z.toJSONSchema(route.body!, { io: 'input', unrepresentable: 'any' }) as {
        properties?: Record<string, Property & { anyOf?: readonly Property[] }>;
      };
      for (const [name, given] of Object.entries(properties)) {
        // Skips the arguments of MCP tools, because the tools validate them. Their number is limited by the size limit
        // of the body.
        if (route.path === '/mcp' && name === 'params') continue;
        const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
        if (schema.type === 'array') expect(schema, name).to.have.property('maxItems').that.is.at.most(100);
        // The schema describes a list, a map or a single value. The values in a list or map must not be lists or
        // objects.
        const items = schema.items ?? schema.additionalProperties ?? (schema.type === 'array' ? {} : schema);
        expect(JSON.stringify(items), name).to.not.include('"array"').and.not.include('"object"');
      }
    });
  }
});
