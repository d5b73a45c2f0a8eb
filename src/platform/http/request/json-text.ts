// Checks of JSON text that JSON.parse does not make. The checks take linear time and use no recursion, because the text
// may be deeply nested.

/** Matches a string, a bracket or a comma. `colon` is set if the string is a property name. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(?<colon>\s*:)?)?|[[\]{},]/gs;

/** Returns true if JSON.parse would create more than `max` values. The text may be invalid JSON. */
export function hasMoreValues(json: string, max: number): boolean {
  let values = 1;
  for (const [token] of json.matchAll(TOKEN)) {
    if (',[{'.includes(token) && ++values > max) return true;
  }
  return false;
}

/**
 * Returns the repeated property names of the outermost object. The text must be valid JSON. JSON.parse would silently
 * use the last value.
 */
export function duplicateKeys(json: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  for (const { 0: token, groups } of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && groups?.colon !== undefined) {
      const name = String(JSON.parse(token.slice(0, -groups.colon.length)));
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
    }
  }
  return [...repeated];
}
