// Reads the icons that servers, frameworks and site builders ship, from default-icons.json.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { fields, readConfigFile } from './json-file.js';

export const defaultIconsSchema = z.array(
  fields({
    /** SHA-256 of the file. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lowercase hex digits' }),
    /** Program that ships the file. Not read by code. */
    of: z.string().min(1),
    /** Package and path of the file from which the hash was computed. Not read by code. */
    source: z.string().min(1),
  }),
);

/** Returns a function that returns true for the bytes of a listed icon. */
export function readDefaultIcons(): (bytes: Uint8Array) => boolean {
  const hashes = new Set(readConfigFile('default-icons.json', defaultIconsSchema).map(({ sha256 }) => sha256));
  return (bytes) => hashes.has(hash('sha256', bytes));
}
