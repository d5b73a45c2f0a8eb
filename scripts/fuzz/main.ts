// Fuzz command, npm run fuzz [-- --requests N --seed S --index I]: malformed requests against a service of its own.
// Exit code 1 for findings.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { catalogCommand } from '../bench/service.js';
import { findingLines } from './findings.js';
import { DEFAULT_LIMITS, runTrial, type Report } from './run.js';
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
  .option('--seed <n>', 'of the requests; random when absent', parseNumber)
  .option('--index <n>', 'only this request of the seed', parseNumber)
  .parse()
  .opts<Flags>();

function parseNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_SEED)
    throw new InvalidArgumentError(`A whole number from 0 to ${MAX_SEED}.`);
  return Number(text);
}

interface Progress {
  readonly show: (sent: number) => void;
  readonly stop: () => void;
}

/** A bar on a terminal, else a line now and then. */
function openProgress(): Progress {
  if (index !== undefined) return { show: () => undefined, stop: () => undefined };
  if (process.stderr.isTTY) {
    const bar = new SingleBar(
      { format: '{bar} {value}/{total} requests', hideCursor: true, clearOnComplete: true },
      Presets.shades_classic,
    );
    bar.start(requests, 0);
    return { show: (sent) => bar.update(sent), stop: () => bar.stop() };
  }
  const show = (sent: number) => {
    if (sent % PROGRESS_EVERY === 0) console.log(`${sent} requests sent`);
  };
  return { show, stop: () => undefined };
}

function print({ sent, statuses, peakMemoryMb, findings }: Report): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  console.log(`${sent} requests sent, answered ${counts.join(', ')}; at most ${peakMemoryMb ?? '?'} MB resident.`);
  for (const line of findingLines(findings, seed)) console.log(`\n${line}`);
  console.log(
    findings.length === 0
      ? 'Nothing was found.'
      : `\n${findings.length} findings. To repeat: npm run fuzz -- --seed ${seed} --requests ${requests}`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'blazon-fuzz-'));
const progress = openProgress();
try {
  console.log(`Seed ${seed}. The catalog is imported …`);
  await catalogCommand({ DATA_DIR: join(folder, 'data') }, 'import', '--package', PACKAGE);
  const report = await runTrial(await startTarget(folder), {
    ...DEFAULT_LIMITS,
    seed,
    requests,
    ...(index !== undefined && { index }),
    onProgress: progress.show,
  });
  progress.stop();
  print(report);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
} finally {
  progress.stop();
  rmSync(folder, { recursive: true, force: true });
}
