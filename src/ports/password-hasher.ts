// Turns a password into what is stored.

export interface PasswordHasher {
  /**
   * argon2id in PHC form. At most a few run at once and a few wait, so that a flood of them cannot slow other
   * work: beyond that it rejects with AppError `busy`.
   */
  hash(password: string): Promise<string>;
}
