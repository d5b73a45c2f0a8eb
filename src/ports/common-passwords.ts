// Blocklist of common passwords.

export interface CommonPasswords {
  /** `password` in lower case. */
  has(password: string): boolean;
}
