// The parameter `on` of a picture: the theme of the page that shows it.

/** All color channels from here on: next to white. */
const PALE = 0xc8;

/**
 * On light pages a logo has its own colors, though a yellow has little contrast there; one that is nearly white, or whose
 * color is not known, is asked for as it can be seen.
 */
export function onParameter(theme: 'light' | 'dark', hex: string | null): 'light' | 'dark' | undefined {
  if (theme === 'dark') return 'dark';
  return hex === null || isPale(hex) ? 'light' : undefined;
}

function isPale(hex: string): boolean {
  return [1, 3, 5].every((at) => Number.parseInt(hex.slice(at, at + 2), 16) >= PALE);
}
