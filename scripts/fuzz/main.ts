// Fuzz command, npm run fuzz [-- --requests N --seed S --index I]: malformed requests against a service of its own.
// Exit code 1 for findings.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { runCommand } from '../processes.js';
import { findingLines } from './findings.js';
import { runTrial } from './run.js';
import { startTarget } from './target.js';

const DEFAULT_REQUESTS = 12_000;
const MAX_SEED = 2 ** 31 - 1;
const PROGRESS_EVERY = 2000;
/** Real drawings of many colors, imported in seconds. */
const PACKAGE = '@iconify-json/logos';

interface Flags {
  readonly requests: number;
  readonly seed?: number;
  readonly index?: number;
}

const {
  requests,
  seed = Math.floor(Math.random() * MAX_SEED),
  index,
} = new Command('npm run fuzz --')
  .description('Sends malformed requests, made of the OpenAPI document, to a service of its own.')
  .option('--requests <n>', 'how many', parseNumber, DEFAULT_REQUESTS)
  .option('--seed <n>', 'seed of the requests; random when absent', parseNumber)
  .option('--index <n>', 'only this request of the seed', parseNumber)
  .parse()
  .opts<Flags>();

function parseNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_SEED)
    throw new InvalidArgumentError(`A whole number from 0 to ${MAX_SEED}.`);
  return Number(text);
}

const folder = mkdtempSync(join(tmpdir(), 'blazon-fuzz-'));
try {
  console.log(`Seed ${seed}. The catalog is imported …`);
  await runCommand(['catalog', 'import', '--package', PACKAGE], { DATA_DIR: join(folder, 'data') });
  const { sent, statuses, peakMemoryMb, findings } = await runTrial(await startTarget(folder), {
    seed,
    requests,
    ...(index !== undefined && { index }),
    onProgress: (count) => count % PROGRESS_EVERY === 0 && console.log(`${count} requests sent`),
  });
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  console.log(`${sent} requests sent, answered ${counts.join(', ')}; at most ${peakMemoryMb ?? '?'} MB resident.`);
  for (const line of findingLines(findings, seed)) console.log(`\n${line}`);
  const again = `npm run fuzz -- --seed ${seed} --requests ${requests}`;
  console.log(findings.length === 0 ? 'Nothing was found.' : `\n${findings.length} findings. To repeat: ${again}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
