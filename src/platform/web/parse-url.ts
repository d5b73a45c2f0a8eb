// URL parser that returns undefined for invalid text.

/**
 * Returns the URL, or undefined if the text is not a URL. `URL.canParse` is not used: in Node 20 it rejects letters
 * such as `ü` after V8 has optimized its callers.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
