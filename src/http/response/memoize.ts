// Memoization by address, for as long as the version of its source stays the same.

/**
 * `address` is the parsed parameters or query of an address: the same object while the address is known
 * (serve-route.ts). `version` is compared by identity; while it is undefined nothing is remembered.
 */
export function memoizeByAddress<Value>(): (
  address: object,
  version: unknown,
  make: () => Promise<Value>,
) => Value | Promise<Value> {
  const kept = new WeakMap<object, { readonly version: unknown; readonly value: Value }>();
  return (address, version, make) => {
    const known = kept.get(address);
    if (known !== undefined && version !== undefined && known.version === version) return known.value;
    return make().then((value) => {
      if (version !== undefined) kept.set(address, { version, value });
      return value;
    });
  };
}
