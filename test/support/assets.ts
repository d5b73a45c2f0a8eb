// Files of the built dashboard. Their names contain a hash of the content.
import { readdirSync, statSync } from 'node:fs';

const FOLDER = new URL('../../dashboard/assets/', import.meta.url);

/** Returns the name of the largest file with this extension. */
export function assetNamed(ending: string): string {
  const sized = readdirSync(FOLDER)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, bytes: statSync(new URL(name, FOLDER)).size }))
    .sort((one, other) => other.bytes - one.bytes);
  if (!sized[0]) throw new Error(`the dashboard's build has no file ${ending}`);
  return sized[0].name;
}
