// Single flight: concurrent calls with the same key share one run of the work.

export function singleFlight<Result>(
  underWay: Map<string, Promise<Result>>,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key));
  underWay.set(key, begun);
  return begun;
}
