// Rules between parameters of a query string. The schema checks them, and the OpenAPI document lists them.
import { z } from 'zod';

/** Rule as JSON, as shown in the OpenAPI document. */
export type QueryRule<Name extends string = string> =
  | { readonly exactlyOneOf: readonly Name[] }
  /** At least one of the parameters must be present. The first name in the list is the most common one. */
  | { readonly atLeastOneOf: readonly Name[] }
  | { readonly parameter: Name; readonly notWith: readonly Name[] }
  | { readonly parameter: Name; readonly value: string | number; readonly notWithValue: OtherValue<Name> }
  /** If `value` is absent, the rule applies to all values of the parameter. */
  | { readonly parameter: Name; readonly value?: string; readonly onlyWith: OtherValue<Name> };

interface OtherValue<Name extends string> {
  readonly parameter: Name;
  readonly value: string;
}

const rules = z.registry<{ readonly rules: readonly QueryRule[] }>();

/** Returns the schema of a query string with these parameters and rules. Other parameters are rejected. */
export function querySchema<Shape extends z.ZodRawShape>(
  shape: Shape,
  queryRules: readonly QueryRule<keyof Shape & string>[],
): z.ZodObject<Shape, z.core.$strict> {
  const schema = z.strictObject(shape).check(({ value, issues }) => {
    const given = new Map(Object.entries(value).filter(([, each]) => each !== undefined));
    for (const rule of queryRules) {
      const broken = violation(rule, given);
      if (!broken) continue;
      const { field, reason, allowed } = broken;
      issues.push({ code: 'custom', path: [field], message: reason, input: value, params: { allowed } });
    }
  });
  return schema.register(rules, { rules: queryRules });
}

/** Returns the rules of a schema made by `querySchema`, also if further checks were added to the schema. */
export function rulesOf(query: z.ZodObject | undefined): readonly QueryRule[] {
  return (query && rules.get(query)?.rules) ?? [];
}

export function ruleText(rule: QueryRule): string {
  if ('exactlyOneOf' in rule)
    return `${rule.exactlyOneOf.length > 1 ? 'Exactly one of ' : ''}${list(rule.exactlyOneOf)} is required.`;
  if ('atLeastOneOf' in rule) return `At least one of ${list(rule.atLeastOneOf)} is required.`;
  if ('onlyWith' in rule) return `\`${rule.parameter}${valueText(rule)}\` requires \`${otherText(rule.onlyWith)}\`.`;
  if ('notWithValue' in rule)
    return `\`${rule.parameter}${valueText(rule)}\` cannot be combined with \`${otherText(rule.notWithValue)}\`.`;
  return `\`${rule.parameter}\` cannot be combined with ${list(rule.notWith)}.`;
}

const valueText = ({ value }: { readonly value?: string | number }) => (value === undefined ? '' : `=${value}`);
const otherText = ({ parameter, value }: OtherValue<string>) => `${parameter}=${value}`;

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

interface Violation {
  readonly field: string;
  readonly reason: string;
  readonly allowed?: readonly string[];
}

function violation(rule: QueryRule, given: ReadonlyMap<string, unknown>): Violation | undefined {
  if ('exactlyOneOf' in rule) {
    const names = rule.exactlyOneOf;
    const [first, second] = names.filter((name) => given.has(name));
    if (first === undefined) return missing(names);
    return second === undefined ? undefined : { field: second, reason: `give only one of ${names.join(', ')}` };
  }
  if ('atLeastOneOf' in rule) {
    const [first = '', ...others] = rule.atLeastOneOf;
    if (rule.atLeastOneOf.some((name) => given.has(name))) return undefined;
    return {
      field: first,
      reason: `give ${first} or ${anyOf(others)}`,
    };
  }
  if ('onlyWith' in rule) {
    const { parameter, value, onlyWith } = rule;
    const isMeant = value === undefined ? given.has(parameter) : given.get(parameter) === value;
    if (!isMeant || given.get(onlyWith.parameter) === onlyWith.value) return undefined;
    return { field: parameter, reason: `${value === undefined ? '' : `${value} `}requires ${otherText(onlyWith)}` };
  }
  if ('notWithValue' in rule) return valueConflict(rule, given);
  const { parameter, notWith } = rule;
  if (!given.has(parameter) || !notWith.some((name) => given.has(name))) return undefined;
  return { field: parameter, reason: `cannot be combined with ${notWith.join(' or ')}` };
}

function anyOf(names: readonly string[]): string {
  return names.length > 1 ? `at least one of ${names.join(', ')}` : names.join();
}

function valueConflict(
  { parameter, value, notWithValue }: Extract<QueryRule, { readonly notWithValue: unknown }>,
  given: ReadonlyMap<string, unknown>,
): Violation | undefined {
  if (given.get(parameter) !== value || given.get(notWithValue.parameter) !== notWithValue.value) return undefined;
  return { field: parameter, reason: `${value} cannot be combined with ${otherText(notWithValue)}` };
}

function missing(names: readonly string[]): Violation {
  const [only = 'query', ...others] = names;
  if (others.length === 0) return { field: only, reason: 'missing' };
  return { field: 'query', reason: `give exactly one of ${names.join(', ')}`, allowed: names };
}
