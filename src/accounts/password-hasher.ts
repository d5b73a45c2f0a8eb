// Hashing and verification of passwords.

/**
 * Position of a request in the queue of password hashes. Both lanes (known and unknown clients) get the same share of
 * the hashes. Within a lane, requests with different keys alternate.
 */
export interface HashTurn {
  readonly lane: 'known' | 'stranger';
  readonly fairnessKey: string;
}

/**
 * Computes a few hashes at once and queues few requests per lane (known or unknown clients), so that a flood cannot
 * slow other work. Each lane has its own queue. If the queue is full, a new request may replace the newest request of
 * the key with the most waiting requests. It does so only if the shares of the keys become more even. Otherwise the new
 * request is rejected with AppError `busy`. A replaced request also rejects with `busy`.
 */
export interface PasswordHasher {
  /** Returns an Argon2id hash as a PHC string. */
  hash(password: string, turn: HashTurn): Promise<string>;
  /**
   * Verifies a password. `stored` is undefined if there is no such account. In that case, the call takes the same time
   * and returns false.
   */
  verify(stored: string | undefined, password: string, turn: HashTurn): Promise<boolean>;
  /**
   * Returns true if a request with this position would be rejected now. The check costs no I/O, so a flood can be
   * rejected before other checks.
   */
  isFull(turn: HashTurn): boolean;
  /** Returns true if the hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean;
}
