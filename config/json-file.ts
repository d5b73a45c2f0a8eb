// Reads configuration files, and parses JSON files with a schema.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { throwConfigError } from './config-error.js';
import { processVariables } from './env.js';

/** Folder of the package. The compiled module is in dist/config/ of this folder, and the JSON files are in config/. */
const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns CONFIG_DIR, or undefined if it is not set. Throws `ConfigError` if the folder doesn't exist. */
function ownFolder(): string | undefined {
  const { CONFIG_DIR: folder = '' } = processVariables();
  if (folder === '') return undefined;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throwConfigError('CONFIG_DIR', JSON.stringify(folder), 'CONFIG_DIR must be a folder');
  return folder;
}

interface ConfigPath {
  readonly path: string;
  /** Path to show in messages: `config/plans.json`, or the path of the operator's own file. */
  readonly shown: string;
}

/** Returns the path of the operator's own file if this file exists, otherwise the path of the package's file. */
function pathOf(name: string): ConfigPath {
  const own = ownFolder();
  if (own !== undefined && existsSync(join(own, name))) return { path: join(own, name), shown: join(own, name) };
  return { path: join(PACKAGE_ROOT, 'config', name), shown: `config/${name}` };
}

/** Returns a warning for each file in CONFIG_DIR with an unknown name, which may be mistyped. */
export function configFolderWarnings(): string[] {
  const own = ownFolder();
  if (own === undefined) return [];
  const known = readdirSync(join(PACKAGE_ROOT, 'config')).filter((name) => /\.(?:json|txt)$/.test(name));
  return readdirSync(own)
    .filter((name) => /\.(?:json|txt)$/.test(name) && !known.includes(name))
    .map((name) => `CONFIG_DIR: ${name} is ignored; supported files are ${known.join(', ')}`);
}

/** Reads a text file. Throws `ConfigError` if it doesn't exist. */
export function readConfigText(name: string): string {
  const { path, shown } = pathOf(name);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throwConfigError(shown, cause instanceof Error ? cause.message : 'unreadable', 'the file must exist');
  }
}

/** Reads a JSON file. Throws `ConfigError` if it doesn't exist, is not JSON, or doesn't match the schema. */
export function readConfigFile<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  const text = readConfigText(name);
  const { shown } = pathOf(name);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throwConfigError(shown, cause instanceof Error ? cause.message : 'unreadable', 'the file must be a JSON file');
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throwConfigError(shown, place === '' ? 'the file' : place, issue?.message ?? 'has an invalid value');
}

/** Returns a schema of an object with exactly these fields. Its errors name the allowed fields. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has ${issue.keys.join(', ')}; allowed: ${names}`
        : `must be an object with the fields ${names}`,
  });
}
