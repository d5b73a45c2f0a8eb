// Memoization by URL, valid while the version of the source data stays the same.

/** Parameter objects of cached URLs. */
const cachedParameters = new WeakSet();

/**
 * Allows memoization for these parameters, because their URL is cached (url-reader.ts). For other parameters, nothing
 * is memoized.
 */
export function allowMemoization(parameters: object): void {
  cachedParameters.add(parameters);
}

/**
 * Returns a memoizing function. `parameters` are the parsed parameters of a URL, the same object as long as the URL is
 * cached. `version` is compared by identity. If it is undefined, nothing is memoized.
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
