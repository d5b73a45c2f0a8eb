// Knows the passwords that everybody tries first.

export interface CommonPasswords {
  /** `password` in lower case. */
  has(password: string): boolean;
}
