// Turns a password into what is stored, and back into a yes or no.

/**
 * Beyond a few at once and a short queue, methods reject with AppError `busy`: a flood must not slow other work.
 * `asker` is on whose behalf. Askers take turns, and share the queue: when it is full, one who has more waiting than
 * another would have with one more loses the newest, which rejects with `busy` too.
 */
export interface PasswordHasher {
  /** argon2id in PHC form. */
  hash(password: string, asker: string): Promise<string>;
  /** `stored` undefined: there is no such account; takes the same work, and says no. */
  verify(stored: string | undefined, password: string, asker: string): Promise<boolean>;
  /**
   * Whether this asker would be refused at this moment. Free of cost, so that a flood can be refused before it costs
   * anything else.
   */
  isFull(asker: string): boolean;
  /** Whether it was made with weaker parameters than are used now. */
  isOutdated(stored: string): boolean;
}
