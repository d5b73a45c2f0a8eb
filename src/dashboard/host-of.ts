// Extracts the host from text that users type or paste into a field for a host or name.

/** Matches scheme, user, host, port, and the rest of a URL. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[^/?#@\s]*@)?(\[[^\]\s]*\]|[^/?#:@\s]+)(?::\d*)?(?:[/?#]\S*)?$/i;

/** Returns the host: `https://example.com:8080/a?b` → `example.com`. Text that is not a URL stays unchanged. */
export function hostOf(text: string): string {
  return ADDRESS.exec(text.trim())?.[1] ?? text;
}

/**
 * Returns the text to search for. If the text begins like a URL, returns its host. All other text is returned
 * unchanged, because names may contain dots, colons and slashes.
 */
export function searchText(text: string): string {
  return /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|www\.)/i.test(text) ? hostOf(text).replace(/^www\./i, '') : text;
}

/**
 * Returns the host if the text looks like a domain, a URL or an e-mail address. The service decides whether the host is
 * valid.
 */
export function askedHost(text: string): string | undefined {
  const host = hostOf(text.trim())
    .toLowerCase()
    .replace(/^www\./, '');
  return /^[^\s.@/]+(?:\.[^\s.@/]+)*\.\p{L}[\p{L}\p{N}-]+$/u.test(host) ? host : undefined;
}

/** Returns a brand name for a host: `shop.walmart.com` → `Walmart`. */
export function nameOfHost(host: string): string {
  const [name = host] = host.split('.').slice(-2);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
