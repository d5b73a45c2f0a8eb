// Blocklist of common passwords.

export interface CommonPasswords {
  /** `password` in lower case, as typed or `squeezed`. */
  has(password: string): boolean;
}
