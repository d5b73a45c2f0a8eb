// Types of the used part of negotiator 1. @types/negotiator has the types of 0.6, without `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> });
    /**
     * Returns the encodings of `available` that `Accept-Encoding` accepts, sorted by weight. Among equal weights, the
     * encodings in `preferred` come first.
     */
    encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
  }
}
