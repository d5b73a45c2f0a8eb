// Memoization by URL, valid while the version of the source data stays the same.

/** Parameter objects of URLs that are cached. */
const cachedParameters = new WeakSet();

/**
 * Marks the parameter objects of a cached URL (url-reader.ts). Only results for marked objects are memoized, because
 * the objects of other URLs are not used again.
 */
export function allowMemoization(parameters: object): void {
  cachedParameters.add(parameters);
}

/**
 * Returns a memoizing function. `parameters`: the parsed parameters of a URL, the same object as long as the URL is
 * cached. `version`: version of the source data, compared by identity; undefined to memoize nothing.
 */
export function memoizeByUrl<Value>(): (
  parameters: object,
  version: unknown,
  make: () => Promise<Value>,
) => Value | Promise<Value> {
  const cached = new WeakMap<object, { readonly version: unknown; readonly value: Value }>();
  return (parameters, version, make) => {
    if (!cachedParameters.has(parameters)) return make();
    const known = cached.get(parameters);
    if (known !== undefined && version !== undefined && known.version === version) return known.value;
    return make().then((value) => {
      if (version !== undefined) cached.set(parameters, { version, value });
      return value;
    });
  };
}
