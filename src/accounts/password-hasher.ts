// Hashing and verification of passwords.

/**
 * Place of a request for a password hash: the lane and the fairness key. The two lanes (known and unknown clients) are
 * queues with equal shares of the hashes. Within a lane, requests with different fairness keys alternate.
 */
export interface HashTurn {
  readonly lane: 'known' | 'stranger';
  readonly fairnessKey: string;
}

/**
 * Computes a few hashes at once. The other requests wait in two short queues, one for known and one for unknown
 * clients, so that a flood cannot slow other work. Each request has a fairness key. In a full queue, a new request
 * replaces the newest request of the key with the most requests. The replacement requires that the new request's key
 * then has at most as many requests as that key. Otherwise, the new request is rejected. A rejected or replaced request
 * rejects with AppError `busy`.
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
   * Returns true if `hash` and `verify` would now reject a request with this turn, because the queue is full. Needs no
   * I/O, so callers can reject a flood before any other check.
   */
  isFull(turn: HashTurn): boolean;
  /** Returns true if the hash was made with other parameters than the current ones. */
  isOutdated(stored: string): boolean;
}
