// Types of negotiator 1, as far as the service uses it. @types/negotiator describes version 0.6, which has no option
// `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> });
    /**
     * Returns the encodings in `available` that `Accept-Encoding` accepts, sorted by weight. Encodings with equal
     * weight are sorted in the order of `preferred`.
     */
    encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
  }
}
