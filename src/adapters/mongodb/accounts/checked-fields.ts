// Checks of the fields of a stored document.

/** Whether a stored value has the type that this release reads. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isNumber: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value);
export const isDate: Check = (value) => value instanceof Date;

export function isOneOf(values: readonly string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value);
}

export function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

/** A field that older releases did not write. */
export function orAbsent(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function checkList(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Fields beyond these may be there: a newer release has written them. */
export function checkRecord(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    entries.every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
}
