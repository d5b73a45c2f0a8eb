// Reads license texts that must accompany copies of works, by SPDX identifier.
import { readConfigText } from './json-file.js';

const IDENTIFIERS = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'MIT'] as const;

/** Throws `ConfigError` if a file doesn't exist. */
export function readLicenseTexts(): ReadonlyMap<string, string> {
  return new Map(IDENTIFIERS.map((identifier) => [identifier, readConfigText(`licenses/${identifier}.txt`)]));
}
