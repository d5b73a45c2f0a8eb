// Duplicate keys of a JSON object: JSON.parse silently keeps the last one.

/** A string, with the colon that makes it a name, or a bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?<colon>\s*:)?|[[\]{}]/gs;

/**
 * Names that stand more than once in the outermost object of a valid JSON text. Without recursion: the text may be
 * nested deep.
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
