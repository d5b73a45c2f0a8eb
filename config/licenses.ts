// Reads the texts of licenses that must accompany copies of works.
import { readConfigText } from './json-file.js';

const IDENTIFIERS = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'MIT'] as const;

/** Returns SPDX identifier → text. Throws `ConfigError` if a file doesn't exist. */
export function readLicenseTexts(): ReadonlyMap<string, string> {
  return new Map(IDENTIFIERS.map((identifier) => [identifier, readConfigText(`licenses/${identifier}.txt`)]));
}
