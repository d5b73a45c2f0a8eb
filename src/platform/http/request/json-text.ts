// Checks of a JSON text that JSON.parse does not make. Linear and without recursion: the text may be nested deep.

/** A string, with the colon that makes it a name, a bracket or a comma. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(?<colon>\s*:)?)?|[[\]{},]/gs;

/** Whether JSON.parse would make more than `max` values of it; the text need not be valid. */
export function hasMoreValues(json: string, max: number): boolean {
  let values = 1;
  for (const [token] of json.matchAll(TOKEN)) {
    if (',[{'.includes(token) && ++values > max) return true;
  }
  return false;
}

/** Names that stand more than once in the outermost object of a valid text; JSON.parse silently keeps the last. */
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
