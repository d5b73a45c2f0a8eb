// Checks of a deployment, for the command `doctor`: settings, disk, stores and catalog.
import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isCluster, type Env } from '../../config/env.js';
import type { StoresEnv } from '../platform/stores/open-stores.js';
import { mailServerFault } from '../platform/mail/mailers.js';
import { openFence } from '../platform/processes/fence.js';
import { failure, type Finding } from '../platform/doctor-finding.js';
import { messageOf } from '../platform/errors.js';
import { diskFinding, fenceFinding, modesFinding, userFinding, type FileMode } from './doctor.js';
import { redacted } from '../platform/log.js';
import { FEATURES } from '../features.js';
import { settingFindings } from './doctor-settings.js';
import { mailServerOf } from '../platform/mail/mail-server.js';

/** Returns all findings, including findings with status `ok`. */
export async function examine(env: Env): Promise<readonly Finding[]> {
  const smtp = mailServerOf(env);
  const settings = settingFindings(env, smtp && (await mailServerFault(smtp)));
  const ofFeatures = await Promise.all(FEATURES.map(async (one) => (await one.doctor?.())?.settings?.(env) ?? []));
  const disk = diskFinding(env.DATA_DIR, await freeBytes(env.DATA_DIR));
  const fence = fenceFinding(await openFence(env.DATA_DIR));
  const modes = modesFinding(await modeOf(env.DATA_DIR), await privateFiles(env.DATA_DIR));
  const user = userFinding(await serviceUser(env.DATA_DIR));
  const stores = await inspectStores(env).catch((error: unknown) => [
    failure('stores', messageOf(error), 'Fix this problem first.'),
  ]);
  // Secrets are removed, because some messages come from servers and may contain a URL with a password.
  return [...settings, ...ofFeatures.flat(), disk, modes, ...user, fence, ...stores].map((one) => ({
    ...one,
    message: sentence(redacted(one.message)),
  }));
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/**
 * Returns the free bytes on the disk of the folder, or undefined if unknown. If the folder does not exist yet, uses the
 * nearest existing parent folder.
 */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const parent = dirname(resolve(folder));
    return isMissing && parent !== folder ? freeBytes(parent) : undefined;
  }
}

/** Files with secrets or personal data. Pictures and the lock file have neither. */
const PRIVATE_FILE = /^(?:blazon\.sqlite|jwt-secret)/;
const OUTBOX = 'outbox';

async function privateFiles(folder: string): Promise<readonly FileMode[]> {
  const names = (await namesIn(folder)).filter((name) => name === OUTBOX || PRIVATE_FILE.test(name));
  const mails = await namesIn(join(folder, OUTBOX));
  const paths = [...names, ...mails.map((name) => join(OUTBOX, name))].map((name) => join(folder, name));
  // Omits files that were deleted while the list was read.
  return (await Promise.all(paths.map(modeOf))).filter((file) => file !== undefined);
}

/**
 * Returns the file names, or an empty list if the folder cannot be read. The finding `disk` reports an unreadable
 * folder.
 */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Returns the id of the user who owns DATA_DIR. This is the service's user, even if root runs this command. */
async function serviceUser(dataDir: string): Promise<number | undefined> {
  const owner = await stat(dataDir).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return process.getuid ? (owner ?? process.getuid()) : undefined;
}

async function modeOf(path: string): Promise<FileMode | undefined> {
  return stat(path).then(
    ({ mode }) => ({ path, mode: mode & 0o777 }),
    () => undefined,
  );
}

/** Returns findings about the stores that can be reached. Writes nothing. */
async function inspectStores(env: StoresEnv): Promise<readonly Finding[]> {
  if (isCluster(env))
    return (await import('./inspect-cluster.js')).inspectCluster({
      mongodbUri: env.MONGODB_URI,
      redisUrl: env.REDIS_URL,
    });
  return (await import('./inspect-embedded.js')).inspectEmbedded(env.DATA_DIR);
}
