// Migrate command (`npm run migrate --`): copies all stored data from SQLite to the stores of a cluster, or back.
import { Option } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import { isCluster } from '../../config/env.js';
import { migrateToCluster, migrateToEmbedded, rehearse } from './transfer-tools.js';
import { print, readCommandEnv, type Command } from '../platform/command-line/command.js';
import { printReport, transferProgress } from './transfer-report.command.js';

interface Flags {
  readonly to: 'cluster' | 'embedded';
  readonly dryRun?: boolean;
  readonly replace?: boolean;
}

export default {
  options: [
    new Option('--to <family>', 'target of the migration').choices(['cluster', 'embedded']).makeOptionMandatory(),
    new Option('--dry-run', 'show what would be copied, and what prevents the migration; works while the service runs'),
    new Option('--replace', 'keep an existing database under another name'),
  ],
  json: false,
  run: migrate,
} satisfies Command;

async function migrate({ to, dryRun, replace = false }: Flags): Promise<void> {
  const env = readCommandEnv();
  if (!isCluster(env))
    throw new ConfigError(
      'MONGODB_URI, REDIS_URL: must be set to the cluster, and DATA_DIR to the folder of the embedded database',
    );
  if (dryRun === true) {
    const { counts, obstacles } = await rehearse(env, to);
    for (const [what, count] of counts) print(`${count.toLocaleString('en-US').padStart(12)} ${what}`);
    for (const obstacle of obstacles) print(`Not possible yet: ${obstacle}`);
    if (obstacles.length === 0) print(`Ready to migrate with --to ${to}.`);
    return;
  }
  const progress = transferProgress();
  const transfer = to === 'cluster' ? migrateToCluster : migrateToEmbedded;
  const report = await transfer(env, { replace, onProgress: progress.show }).finally(() => progress.stop());
  printReport(report);
  print(to === 'cluster' ? NEXT_CLUSTER : NEXT_EMBEDDED);
}

const NEXT_CLUSTER =
  'Start the service with the same MONGODB_URI and REDIS_URL. Keep the value of JWT_SECRET (if the variable was ' +
  'not set: the content of DATA_DIR/jwt-secret), otherwise links in mails that were already sent stop working.';
const NEXT_EMBEDDED =
  'Start the service without MONGODB_URI and REDIS_URL, with this DATA_DIR and the same JWT_SECRET.';
