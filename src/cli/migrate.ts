// Command that copies everything from one family of stores to the other (`npm run migrate --`).
import { Option } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import { isCluster, type Env } from '../../config/env.js';
import { migrateToCluster, migrateToEmbedded, rehearse } from '../compose/transfer-tools.js';
import { createProgram, print, runCommand } from './command.js';
import { printReport, transferProgress } from './transfer-report.js';

interface Flags {
  readonly to: 'cluster' | 'embedded';
  readonly dryRun?: boolean;
  readonly replace?: boolean;
}

const program = createProgram(
  'migrate',
  'Copies everything between DATA_DIR and the cluster of MONGODB_URI and REDIS_URL, and compares both. No process may serve meanwhile.',
)
  .addOption(new Option('--to <family>', 'where to').choices(['cluster', 'embedded']).makeOptionMandatory())
  .option('--dry-run', 'say what would be copied, and what stands in the way; processes may serve')
  .option('--replace', 'with --to embedded: keep a database that is in DATA_DIR under another name')
  .addHelpText(
    'after',
    '\nExample: DATA_DIR=./data MONGODB_URI=… REDIS_URL=… npm run migrate -- --to cluster --dry-run',
  )
  .action((flags: Flags) => runCommand((env) => run(env, flags)));

export default program;

async function run(env: Env, { to, dryRun, replace = false }: Flags): Promise<void> {
  if (!isCluster(env))
    throw new ConfigError('MONGODB_URI, REDIS_URL: must name the cluster; DATA_DIR is the embedded side');
  if (dryRun === true) {
    const { counts, obstacles } = await rehearse(env, to);
    for (const [what, count] of counts) print(`${count.toLocaleString('en-US').padStart(12)} ${what}`);
    for (const obstacle of obstacles) print(`Not yet possible: ${obstacle}`);
    if (obstacles.length === 0) print(`Nothing stands in the way of --to ${to}.`);
    return;
  }
  const progress = transferProgress();
  const migrate = to === 'cluster' ? migrateToCluster : migrateToEmbedded;
  const report = await migrate(env, { replace, onProgress: progress.show }).finally(progress.stop);
  printReport(report);
  print(to === 'cluster' ? NEXT_CLUSTER : NEXT_EMBEDDED);
}

const NEXT_CLUSTER =
  'Start the service with the same MONGODB_URI and REDIS_URL. JWT_SECRET must be that of before (without the variable: the content of DATA_DIR/jwt-secret), or links in mails that were sent no longer work.';
const NEXT_EMBEDDED =
  'Start the service without MONGODB_URI and REDIS_URL, with this DATA_DIR and the same JWT_SECRET.';
