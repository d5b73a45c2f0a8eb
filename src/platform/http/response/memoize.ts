// Memoization by URL, while the version of the source stays the same.

/** Parameters of cached URLs. */
const cachedParameters = new WeakSet();

/**
 * Allows memoization for the parsed parameters of a cached URL (url-reader.ts). For all other parameters, nothing is
 * memoized.
 */
export function allowMemoization(parameters: object): void {
  cachedParameters.add(parameters);
}

/**
 * Creates the memoization. `parameters` are a URL's parsed parameters, the same object while the URL is cached.
 * `version` is compared by identity. While it is undefined, nothing is memoized.
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
