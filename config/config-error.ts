// The error of a wrong setting: one line with the setting, its value and the allowed values.

/** EX_CONFIG of sysexits.h */
export const EXIT_CONFIG = 78;

/** The process prints this line and exits with `EXIT_CONFIG`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function throwConfigError(setting: string, given: string, advice: string): never {
  throw new ConfigError(`${setting}: ${given}; ${advice}`);
}
