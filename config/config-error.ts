// The error of wrong configuration: one line with the setting, the value and what is allowed.

/** The process stops with exit code 78 (EX_CONFIG of sysexits.h) and this one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function throwConfigError(setting: string, given: string, advice: string): never {
  throw new ConfigError(`${setting}: ${given}; ${advice}`);
}
