// Generated signing secret of an embedded service, stored beside the database.
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwnerOf, makeDataDir } from './data-dir.js';

const SECRET_BYTES = 32;

/** Reads `DATA_DIR/jwt-secret`, or creates it if it is missing. Only its owner can read the file. */
export function readOrCreateSecret(dataDir: string): string {
  const path = join(dataDir, 'jwt-secret');
  makeDataDir(dataDir);
  const secret = read(path) ?? create(path, dataDir);
  if (Buffer.byteLength(secret) < SECRET_BYTES)
    throw new Error(
      `${path} has fewer than ${SECRET_BYTES} bytes. Delete it to generate another secret. Access tokens, links ` +
        'in mails and trusted devices then become invalid',
    );
  return secret;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Creates the file atomically, so that a crash leaves no partial secret. If two processes start together, both use the
 * secret of the process that is first.
 */
function create(path: string, dataDir: string): string {
  const draft = `${path}.${randomUUID()}`;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const file = openSync(draft, 'wx', 0o600);
  writeFileSync(file, secret, { flush: true });
  giveToOwnerOf(dataDir, file);
  closeSync(file);
  try {
    linkSync(draft, path);
    return secret;
  } catch (error) {
    const existing = hasCode(error, 'EEXIST') ? read(path) : undefined;
    if (existing === undefined) throw error;
    return existing;
  } finally {
    rmSync(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
