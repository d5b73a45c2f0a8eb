// URL parser that returns undefined for invalid text.

/**
 * Returns the URL, or undefined if the text is not a URL. `URL.canParse` is not used, because it has a bug in Node 20:
 * after V8 has optimized its callers, it rejects letters such as `ü`.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
