// Bound on the number of values in a JSON text, checked before it is parsed.
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/**
 * Whether JSON.parse would make more than `max` values of it; the text need not be valid. Linear, without recursion.
 */
export function hasMoreValues(json: string, max: number): boolean {
  let values = 1;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case BACKSLASH:
        // Outside strings it is not valid, and the parser says so.
        at += 1;
        break;
      case QUOTE:
        inString = !inString;
        break;
      case COMMA:
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (!inString && ++values > max) return true;
        break;
      default:
    }
  }
  return false;
}
