// Tools of the doctor command: checks of the settings, the disk, the stores and the catalog.
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isCluster, PRICE_VARIABLES, type Env } from '../../config/env.js';
import { openFence } from '../adapters/workers/fence.js';
import { failure, type Finding } from '../domain/finding.js';
import { diskFinding, fenceFinding, priceFindings, settingFindings } from '../services/doctor.js';
import { redacted } from '../log.js';
import { openPayments } from './billing.js';
import { inspectStores } from './open-stores.js';

export interface DoctorTools {
  /** All findings, those without fault included. */
  examine(): Promise<readonly Finding[]>;
}

export function openDoctorTools(env: Env): DoctorTools {
  return {
    async examine() {
      const settings = settingFindings({
        publicUrl: env.PUBLIC_URL,
        host: env.HOST,
        trustedProxies: env.TRUST_PROXY,
        secrets: env.JWT_SECRET,
        hasMailServer: env.SMTP_URL !== '',
        isCluster: isCluster(env),
        billing: {
          isConfigured: env.STRIPE_SECRET_KEY !== '',
          isTestMode: env.STRIPE_SECRET_KEY.includes('_test_'),
          missingPrices: PRICE_VARIABLES.filter((name) => env[name].length === 0),
        },
      });
      const prices = await priceFindings(await openPayments(env, Date.now, () => undefined));
      const disk = diskFinding(env.DATA_DIR, await freeBytes(env.DATA_DIR));
      const fence = fenceFinding(await openFence(env.DATA_DIR));
      const stores = await inspectStores(env).catch((error: unknown) => [
        failure('stores', error instanceof Error ? error.message : String(error), 'Mend this first.'),
      ]);
      // Servers word some of it, and may repeat an address with its password.
      return [...settings, ...prices, disk, fence, ...stores].map((one) => ({
        ...one,
        message: sentence(redacted(one.message)),
      }));
    },
  };
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
