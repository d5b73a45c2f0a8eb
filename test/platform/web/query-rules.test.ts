// Rules about several parameters of one query string.
import { expect } from 'chai';
import { textParameter } from '../../../src/platform/web/query-parameter.js';
import { querySchema, rulesOf, ruleText, type QueryRule } from '../../../src/platform/web/query-rules.js';

const text = textParameter(10, { description: 'Text.' });

function issuesOf(rule: QueryRule<'a' | 'b' | 'c'>, query: Record<string, string>) {
  const { error } = querySchema({ a: text, b: text, c: text }, [rule]).safeParse(query);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('rules between query parameters', () => {
  it('requires exactly one of several', () => {
    const rule = { exactlyOneOf: ['a', 'b'] } as const;
    expect(issuesOf(rule, { a: '1', c: '1' })).to.deep.equal([]);
    expect(issuesOf(rule, { c: '1' })).to.deep.equal(['query: give exactly one of a, b']);
    expect(issuesOf(rule, { a: '1', b: '1' })).to.deep.equal(['b: give only one of a, b']);
    expect(ruleText(rule)).to.equal('Exactly one of `a`, `b` is required.');
    expect(ruleText({ exactlyOneOf: ['a'] })).to.equal('`a` is required.');
  });

  it('requires at least one of several', () => {
    const rule = { atLeastOneOf: ['a', 'b'] } as const;
    expect(issuesOf(rule, { b: '1' })).to.deep.equal([]);
    expect(issuesOf(rule, { a: '1', b: '1' })).to.deep.equal([]);
    expect(issuesOf(rule, { c: '1' })).to.deep.equal(['a: give a or b']);
    expect(ruleText(rule)).to.equal('At least one of `a`, `b` is required.');
  });

  it('rejects a parameter together with its excluded ones', () => {
    const rule = { parameter: 'a', notWith: ['b', 'c'] } as const;
    expect(issuesOf(rule, { a: '1' })).to.deep.equal([]);
    expect(issuesOf(rule, { b: '1', c: '1' })).to.deep.equal([]);
    expect(issuesOf(rule, { a: '1', c: '1' })).to.deep.equal(['a: cannot be combined with b or c']);
    expect(ruleText(rule)).to.equal('`a` cannot be combined with `b`, `c`.');
  });

  it('rejects a parameter, or one value of it, without the value of another', () => {
    const rule = { parameter: 'a', onlyWith: { parameter: 'b', value: 'x' } } as const;
    for (const query of [{}, { b: 'x' }, { a: '1', b: 'x' }, { b: 'y' }])
      expect(issuesOf(rule, query)).to.deep.equal([]);
    for (const query of [{ a: '1' }, { a: '1', b: 'y' }])
      expect(issuesOf(rule, query)).to.deep.equal(['a: requires b=x']);
    expect(ruleText(rule)).to.equal('`a` requires `b=x`.');
    const ofValue = { ...rule, value: '1' };
    for (const query of [{ a: '2' }, { a: '1', b: 'x' }]) expect(issuesOf(ofValue, query)).to.deep.equal([]);
    expect(issuesOf(ofValue, { a: '1', b: 'y' })).to.deep.equal(['a: 1 requires b=x']);
    expect(ruleText(ofValue)).to.equal('`a=1` requires `b=x`.');
  });

  it('rejects one value of a parameter together with one of another', () => {
    const rule = { parameter: 'a', value: '1', notWithValue: { parameter: 'b', value: 'x' } } as const;
    for (const query of [{}, { b: 'x' }, { a: '2', b: 'x' }, { a: '1', b: 'y' }, { a: '1' }])
      expect(issuesOf(rule, query)).to.deep.equal([]);
    expect(issuesOf(rule, { a: '1', b: 'x' })).to.deep.equal(['a: 1 cannot be combined with b=x']);
    expect(ruleText(rule)).to.equal('`a=1` cannot be combined with `b=x`.');
  });

  it('are kept when the schema gets further checks, and reject unknown parameters', () => {
    const rule = { exactlyOneOf: ['a'] } as const;
    const schema = querySchema({ a: text }, [rule]);
    expect(rulesOf(schema)).to.deep.equal([rule]);
    expect(rulesOf(schema.check(() => undefined))).to.deep.equal([rule]);
    expect(rulesOf(undefined)).to.deep.equal([]);
    expect(schema.safeParse({ a: '1', z: '1' }).success).to.equal(false);
  });
});
