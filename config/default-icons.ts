// Reads default-icons.json: icons that servers, frameworks and site builders ship.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { fields, readConfigFile } from './json-file.js';

export const defaultIconsSchema = z.array(
  fields({
    /** SHA-256 of the icon file, hex. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lowercase hex digits' }),
    /** Program that ships the icon file. This field is for people who edit the JSON file. The service ignores it. */
    of: z.string().min(1),
    /** Package and path of the icon file. This field is for people who edit the JSON file. The service ignores it. */
    source: z.string().min(1),
  }),
);

/** Returns a function that tells whether the bytes are a listed icon. */
export function readDefaultIcons(): (bytes: Uint8Array) => boolean {
  const hashes = new Set(readConfigFile('default-icons.json', defaultIconsSchema).map(({ sha256 }) => sha256));
  return (bytes) => hashes.has(hash('sha256', bytes));
}
