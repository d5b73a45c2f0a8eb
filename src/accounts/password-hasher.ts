// Hashing and verification of passwords.

/** Place of a request in the queue: the two lanes share the work evenly, and within a lane the keys take turns. */
export interface HashTurn {
  readonly lane: 'known' | 'stranger';
  readonly fairnessKey: string;
}

/**
 * Methods run a few at once and queue few in each lane; otherwise they reject with AppError `busy`: a flood must not slow other
 * work. A full lane takes no places of the other one. In a full lane, a key with more requests waiting than another would
 * have with one more loses its newest, which rejects with `busy` too.
 */
export interface PasswordHasher {
  /** argon2id in PHC form. */
  hash(password: string, turn: HashTurn): Promise<string>;
  /** `stored` undefined: there is no such account; takes the same work, and resolves with false. */
  verify(stored: string | undefined, password: string, turn: HashTurn): Promise<boolean>;
  /**
   * Whether a request of this turn would be rejected now. Free of cost, so that a flood can be rejected before it costs
   * anything else.
   */
  isFull(turn: HashTurn): boolean;
  /** Whether it was made with weaker parameters than are used now. */
  isOutdated(stored: string): boolean;
}
