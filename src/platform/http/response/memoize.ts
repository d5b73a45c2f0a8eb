// Memoization by URL, for as long as the version of its source stays the same.

/** Parameters of cached URLs. */
const cachedParameters = new WeakSet();

/** For the parsed parameters of a URL that is cached (url-reader.ts): with those of others nothing is cached. */
export function allowMemoization(parameters: object): void {
  cachedParameters.add(parameters);
}

/**
 * `parameters` are the parsed ones of a URL, the same object while the URL is cached. `version` is compared by identity;
 * while it is undefined nothing is cached.
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
