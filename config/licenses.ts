// License texts that must go with copies of the works under them, by SPDX identifier.
import { readConfigText } from './json-file.js';

const IDENTIFIERS = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'MIT'] as const;

/** Throws ConfigError when a file is not there. */
export function readLicenseTexts(): ReadonlyMap<string, string> {
  return new Map(IDENTIFIERS.map((identifier) => [identifier, readConfigText(`licenses/${identifier}.txt`)]));
}
