// Memoization by URL, for as long as the version of its source stays the same.

/**
 * `parameters` are the parsed ones of a URL: the same object while the URL is cached (serve-route.ts). `version` is
 * compared by identity; while it is undefined nothing is cached.
 */
export function memoizeByUrl<Value>(): (
  parameters: object,
  version: unknown,
  make: () => Promise<Value>,
) => Value | Promise<Value> {
  const cached = new WeakMap<object, { readonly version: unknown; readonly value: Value }>();
  return (parameters, version, make) => {
    const known = cached.get(parameters);
    if (known !== undefined && version !== undefined && known.version === version) return known.value;
    return make().then((value) => {
      if (version !== undefined) cached.set(parameters, { version, value });
      return value;
    });
  };
}
