// The files of a folder, as far as secrets may or may not be in them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { secretsOfMail, type Secret, type SecretKind } from './secret-shapes.js';

export interface FolderFile {
  /** Below the folder. */
  readonly name: string;
  readonly read: () => Buffer;
  /** Secrets that may be in it, as long as its owner alone may read it. */
  readonly allowed: readonly SecretKind[];
  readonly isPrivate: boolean;
}

/** Where a secret belongs, and why. */
const ALLOWED: readonly { readonly file: RegExp; readonly kinds: readonly SecretKind[]; readonly why: string }[] = [
  {
    file: /(?:^|\/)jwt-secret$/,
    kinds: ['signing secret'],
    why: 'the secret that a service without JWT_SECRET made for itself',
  },
  { file: /(?:^|\/)outbox\/[^/]+\.eml$/, kinds: ['link token'], why: 'the mail itself, where there is no mail server' },
];

export function filesOf(folder: string): FolderFile[] {
  if (!existsSync(folder)) return [];
  return pathsBelow(folder).map((path) => {
    const name = relative(folder, path);
    const allowed = ALLOWED.filter(({ file }) => file.test(name)).flatMap(({ kinds }) => kinds);
    return { name, read: () => readFileSync(path), allowed, isPrivate: (statSync(path).mode & 0o077) === 0 };
  });
}

/** `readdir` with `recursive` follows links from Node 24 on, for ever where one leads upward. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Secrets that these files are meant to hold. */
export function secretsOfFile({ name, read }: FolderFile): Secret[] {
  if (name.endsWith('.eml')) return secretsOfMail(read().toString());
  if (basename(name) === 'jwt-secret') return [{ kind: 'signing secret', value: read().toString().trim() }];
  return [];
}

const PAGE_BYTES = 4096;

/**
 * Without the pages that one of the originals has in the same place: a database with the catalog is large, and what
 * tests add is small.
 */
export function changedPages(bytes: Buffer, originals: readonly Buffer[]): Buffer {
  if (originals.length === 0) return bytes;
  const changed: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (!originals.some((original) => page.equals(original.subarray(at, at + PAGE_BYTES)))) changed.push(page);
  }
  return Buffer.concat(changed);
}
