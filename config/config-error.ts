// The error of wrong configuration: one line with the setting, the value and what is allowed.

/** EX_CONFIG of sysexits.h */
export const EXIT_CONFIG = 78;

/** The process stops with `EXIT_CONFIG` and this one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function throwConfigError(setting: string, given: string, advice: string): never {
  throw new ConfigError(`${setting}: ${given}; ${advice}`);
}
