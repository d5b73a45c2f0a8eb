// Hashing and verification of passwords.

/**
 * Beyond a few at once and a short queue, methods reject with AppError `busy`: a flood must not slow other work. Requests
 * are served in rotation by `fairnessKey`. In a full queue, a key with more requests waiting than another would have with
 * one more loses its newest, which rejects with `busy` too.
 */
export interface PasswordHasher {
  /** argon2id in PHC form. */
  hash(password: string, fairnessKey: string): Promise<string>;
  /** `stored` undefined: there is no such account; takes the same work, and resolves with false. */
  verify(stored: string | undefined, password: string, fairnessKey: string): Promise<boolean>;
  /**
   * Whether a request of this key would be rejected now. Free of cost, so that a flood can be rejected before it costs
   * anything else.
   */
  isFull(fairnessKey: string): boolean;
  /** Whether it was made with weaker parameters than are used now. */
  isOutdated(stored: string): boolean;
}
