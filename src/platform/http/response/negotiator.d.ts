// Types of the used part of negotiator 1; @types/negotiator has those of 0.6, without `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> });
    /** Those of `available` that `Accept-Encoding` accepts, by its weights; among equal ones `preferred` come first. */
    encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
  }
}
