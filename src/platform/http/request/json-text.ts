// Checks of a JSON text that JSON.parse does not make. They take linear time and use no recursion, because the text may
// be deeply nested.

/** Matches a string (with the colon that makes it a name), a bracket or a comma. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(?<colon>\s*:)?)?|[[\]{},]/gs;

/** Returns true if JSON.parse would create more than `max` values. The text may be invalid. */
export function hasMoreValues(json: string, max: number): boolean {
  let values = 1;
  for (const [token] of json.matchAll(TOKEN)) {
    if (',[{'.includes(token) && ++values > max) return true;
  }
  return false;
}

/** Returns the repeated names in the outermost object of a valid text. JSON.parse silently keeps the last one. */
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
