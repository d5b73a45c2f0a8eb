// Readers of the files of this folder; JSON is parsed by a schema.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { throwConfigError } from './config-error.js';
import { processVariables } from './env.js';

/** From dist/config/ as from config/, the operator's files are in the package's config/. */
const PACKAGE_ROOT = fileURLToPath(
  new URL(import.meta.url.includes('/dist/config/') ? '../../' : '../', import.meta.url),
);

/** The operator's own folder; undefined: none is set. Throws `ConfigError` when it is not there. */
function ownFolder(): string | undefined {
  const { CONFIG_DIR: folder = '' } = processVariables();
  if (folder === '') return undefined;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throwConfigError('CONFIG_DIR', JSON.stringify(folder), 'it must be a folder');
  return folder;
}

/** Throws `ConfigError` when the file is not there. */
export function readConfigText(name: string): string {
  const [own, packaged] = [ownFolder(), join(PACKAGE_ROOT, 'config', name)];
  const path = own !== undefined && existsSync(join(own, name)) ? join(own, name) : packaged;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throwConfigError(`config/${name}`, cause instanceof Error ? cause.message : 'unreadable', 'it must be there');
  }
}

/** Throws `ConfigError` when the file is not there, is not JSON, or does not fit. */
export function readConfigFile<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  const text = readConfigText(name);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throwConfigError(`config/${name}`, cause instanceof Error ? cause.message : 'unreadable', 'it must be a JSON file');
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throwConfigError(`config/${name}`, place === '' ? 'the file' : place, issue?.message ?? 'does not fit');
}

/** An object with these fields and no other; what is wrong is said by naming them. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has ${issue.keys.join(', ')}; allowed: ${names}`
        : `must be an object of ${names}`,
  });
}
