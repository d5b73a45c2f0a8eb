// Examination by the doctor command: checks of the settings, the disk, the stores and the catalog.
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

/** All findings, those without fault included. */
export async function examine(env: Env): Promise<readonly Finding[]> {
  const smtp = mailServerOf(env);
  const settings = settingFindings(env, smtp && (await mailServerFault(smtp)));
  const ofFeatures = await Promise.all(FEATURES.map(async (one) => (await one.doctor?.())?.settings?.(env) ?? []));
  const disk = diskFinding(env.DATA_DIR, await freeBytes(env.DATA_DIR));
  const fence = fenceFinding(await openFence(env.DATA_DIR));
  const modes = modesFinding(await modeOf(env.DATA_DIR), await privateFiles(env.DATA_DIR));
  const user = userFinding(await serviceUser(env.DATA_DIR));
  const stores = await inspectStores(env).catch((error: unknown) => [
    failure('stores', messageOf(error), 'Mend this first.'),
  ]);
  // Servers word some of it, and may repeat an address with its password.
  return [...settings, ...ofFeatures.flat(), disk, modes, ...user, fence, ...stores].map((one) => ({
    ...one,
    message: sentence(redacted(one.message)),
  }));
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Where the folder is, or where it is going to be: the service creates it. Undefined when that cannot be found out. */
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

/** Pictures and the lock are left out: they hold nothing that others may not see. */
const PRIVATE_FILE = /^(?:blazon\.sqlite|jwt-secret)/;
const OUTBOX = 'outbox';

async function privateFiles(folder: string): Promise<readonly FileMode[]> {
  const names = (await namesIn(folder)).filter((name) => name === OUTBOX || PRIVATE_FILE.test(name));
  const mails = await namesIn(join(folder, OUTBOX));
  const paths = [...names, ...mails.map((name) => join(OUTBOX, name))].map((name) => join(folder, name));
  // Files may be removed meanwhile.
  return (await Promise.all(paths.map(modeOf))).filter((file) => file !== undefined);
}

/** None where it cannot be read: `disk` says so. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** The owner of DATA_DIR: root may run this command for a service of another user. */
async function serviceUser(dataDir: string): Promise<number | undefined> {
  const owner = await stat(dataDir).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return process.getuid && (owner ?? process.getuid());
}

async function modeOf(path: string): Promise<FileMode | undefined> {
  return stat(path).then(
    ({ mode }) => ({ path, mode: mode & 0o777 }),
    () => undefined,
  );
}

/** Findings about the stores, each checked as far as it can be reached. Writes nothing. */
async function inspectStores(env: StoresEnv): Promise<readonly Finding[]> {
  if (isCluster(env))
    return (await import('./inspect-cluster.js')).inspectCluster({
      mongodbUri: env.MONGODB_URI,
      redisUrl: env.REDIS_URL,
    });
  return (await import('./inspect-embedded.js')).inspectEmbedded(env.DATA_DIR);
}
