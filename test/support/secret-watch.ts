// Watch for secrets: those that a test run produces are searched for in whatever it leaves: files, logs, output,
// errors.
import { basename } from 'node:path';
import { changedPages, filesOf, secretsOfFile, type FolderFile } from './secret-folder.js';
import { plainSecretsIn, tokensIn, type Secret, type SecretKind } from './secret-shapes.js';
import { MIN_SECRET_CHARACTERS, openSecretSearch, type Found } from '../../scripts/secret-search.js';

/** Longer texts are hostile input, no secrets. */
const MAX_SECRET_CHARACTERS = 2048;

export type SecretWatch = ReturnType<typeof openSecretWatch>;

/** `during` says what is under way, for those who read the findings. */
export function openSecretWatch(during: () => string = () => '') {
  const search = openSecretSearch<SecretKind>();
  const known = new Set<string>();
  const folders = new Set<string>();
  const found = new Set<string>();
  /** By file: those of the whole catalog and of its sample. */
  const catalogs = new Map<string, readonly Buffer[]>();
  let inspectedBytes = 0;

  function remember(secrets: readonly Secret[]): void {
    for (const { kind, value } of secrets) {
      const canBeFound =
        value.length >= MIN_SECRET_CHARACTERS && value.length <= MAX_SECRET_CHARACTERS && !/\p{Surrogate}/u.test(value);
      if (!canBeFound || known.has(value)) continue;
      known.add(value);
      search.add(kind, value);
    }
  }

  function knownIn(bytes: Uint8Array): Found<SecretKind>[] {
    inspectedBytes += bytes.length;
    return search.find(bytes);
  }

  function report({ what, form }: Found<SecretKind>, place: string): void {
    found.add(`${what} (${form}) in ${place}${during()}`);
  }

  function inspect({ name, read, allowed, isPrivate }: FolderFile): void {
    const bytes = changedPages(read(), catalogs.get(basename(name)) ?? []);
    const plain = plainSecretsIn(bytes).map((what) => ({ what, form: 'by its form' }));
    for (const secret of [...knownIn(bytes), ...plain]) {
      if (!allowed.includes(secret.what)) report(secret, name);
      else if (!isPrivate) report(secret, `${name}, which others may read`);
    }
  }

  function inspectFiles(path: string, isMeant: (file: FolderFile) => boolean): void {
    const files = filesOf(path);
    for (const file of files) remember(secretsOfFile(file));
    for (const file of files.filter(isMeant)) inspect(file);
  }

  /** All files in it, the mails first: their links are secrets too. */
  function inspectFolder(path: string): void {
    inspectFiles(path, () => true);
    folders.delete(path);
  }

  return {
    remember,
    /** Kinds of secrets in this text; of no consequence. */
    knows: (text: string): SecretKind[] => search.find(Buffer.from(text)).map(({ what }) => what),
    /** Looks for whatever is known by now. */
    inspectText: (name: string, text: string): void =>
      inspect({ name, read: () => Buffer.from(text), allowed: [], isPrivate: true }),
    /** Text that an operator asked for: holds nothing that was known before; new secrets in it are known from now on. */
    inspectShown(name: string, text: string): void {
      for (const secret of knownIn(Buffer.from(text))) report(secret, name);
      remember(tokensIn(text));
    },
    /** Nothing in this folder may be deleted before `inspectFolder`. */
    expectFolder: (path: string): void => void folders.add(path),
    inspectFolder,
    /** The write-ahead log, which goes when the last connection is closed. */
    inspectOpenDatabase: (path: string): void => inspectFiles(path, ({ name }) => /-(?:wal|shm)$/.test(name)),
    /** The database that others are copies of: what is the same there is not looked at. */
    knowCatalog(folder: string): void {
      for (const { name, read } of filesOf(folder)) catalogs.set(name, [...(catalogs.get(name) ?? []), read()]);
    },
    /** Findings so far, and in folders that no test has inspected. One line each: kind, form, place; never the secret. */
    findings(): string[] {
      for (const path of folders) inspectFolder(path);
      return [...found];
    },
    summary: (): string => `${known.size} secrets were looked for in ${Math.round(inspectedBytes / 1e6)} MB`,
  };
}
