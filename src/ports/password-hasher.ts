// Turns a password into what is stored, and back into a yes or no.

/** Beyond a few at once and a short queue, methods reject with AppError `busy`: a flood must not slow other work. */
export interface PasswordHasher {
  /** argon2id in PHC form. */
  hash(password: string): Promise<string>;
  /** `stored` undefined: there is no such account; takes the same work, and says no. */
  verify(stored: string | undefined, password: string): Promise<boolean>;
  /** Whether the queue is full at this moment. Free of cost, so that a flood can be refused before it costs anything else. */
  isFull(): boolean;
  /** Whether it was made with weaker parameters than are used now. */
  isOutdated(stored: string): boolean;
}
