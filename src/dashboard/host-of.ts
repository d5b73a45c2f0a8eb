// The host in what people paste where a host or a name is asked for.

/** Scheme, user, host, port, and the rest of an address. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[^/?#@\s]*@)?(\[[^\]\s]*\]|[^/?#:@\s]+)(?::\d*)?(?:[/?#]\S*)?$/i;

/** `https://example.com:8080/a?b` → `example.com`. Text that is no address stays as it is. */
export function hostOf(text: string): string {
  return ADDRESS.exec(text.trim())?.[1] ?? text;
}

/** For a search: only what begins as an address does is one, since names have dots, colons and slashes too. */
export function searchText(text: string): string {
  return /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|www\.)/i.test(text) ? hostOf(text).replace(/^www\./i, '') : text;
}
