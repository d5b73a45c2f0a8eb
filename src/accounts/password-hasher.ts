// Hashing and verification of passwords.

/** Turn of a request in the queue. The two lanes share the work evenly, and within a lane the keys take turns. */
export interface HashTurn {
  readonly lane: 'known' | 'stranger';
  readonly fairnessKey: string;
}

/**
 * Hashes a few passwords at once and queues few requests per lane. Further requests are rejected with AppError `busy`,
 * because a flood must not slow other work. A full lane does not use places of the other lane. In a full lane, a new
 * request may replace the newest request of the key with the most waiting requests, if the shares become more even. The
 * replaced request rejects with `busy`.
 */
export interface PasswordHasher {
  /** Returns an argon2id hash as PHC string. */
  hash(password: string, turn: HashTurn): Promise<string>;
  /**
   * Verifies a password. `stored` is undefined if there is no such account; the call then does the same work, and
   * returns false.
   */
  verify(stored: string | undefined, password: string, turn: HashTurn): Promise<boolean>;
  /**
   * Returns true if a request of this turn would be rejected now. The check is free, so that a flood can be rejected
   * before it costs anything.
   */
  isFull(turn: HashTurn): boolean;
  /** Returns true if the hash was made with weaker parameters than the current ones. */
  isOutdated(stored: string): boolean;
}
