// Bodies of icons without their ids: ours are such that no two drawings have the same.

/** Ids in the order in which they come. */
export function withoutIds(text: string): string {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    ids.set(id, ids.get(id) ?? `id${ids.size}`);
    return ids.get(id) ?? '';
  };
  return text.replace(
    /(id=\\?"|url\(#|href=\\?"#)([^"\\)]+)/g,
    (_all, before: string, id: string) => before + nameOf(id),
  );
}
