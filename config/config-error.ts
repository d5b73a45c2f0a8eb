// Error for an invalid setting. Its message is one line with the setting, its value and the allowed values.

/** `EX_CONFIG` in sysexits.h. */
export const EXIT_CONFIG = 78;

/** Error for an invalid setting. The process prints its message and exits with `EXIT_CONFIG`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function throwConfigError(setting: string, given: string, advice: string): never {
  throw new ConfigError(`${setting}: ${given}; ${advice}`);
}
