// Work that is begun once for all who ask for it under the same key while it is under way.

export function singleFlight<Result>(
  underWay: Map<string, Promise<Result>>,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key));
  underWay.set(key, begun);
  return begun;
}
