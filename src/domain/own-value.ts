// Property lookup in a plain object by an untrusted name.

/** Undefined for names that only the prototype has: `constructor`, `toString`, `__proto__`. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
