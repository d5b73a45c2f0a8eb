// URL parsing: undefined for text that is no URL.

/**
 * In the place of `URL.canParse`, which in Node 20 rejects text with letters such as `ü` once V8 has compiled its callers:
 * after some thousand calls.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
