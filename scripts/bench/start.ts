// First start with import, later starts, and memory at rest.
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb } from '../processes.js';
import { startService } from './service.js';
import { round, type Row } from './table.js';

/** Threads that have nothing to do are gone by then. */
const SETTLE_MS = 10_000;

/** Leaves the imported catalog in `dataDir`. */
export async function measureStart(dataDir: string): Promise<Row[]> {
  const first = await startService(dataDir);
  await first.stop();
  const second = await startService(dataDir);
  await sleep(SETTLE_MS);
  const idleMb = memoryMb(second.pid) ?? NaN;
  await second.stop();
  return [
    {
      what: 'first start with import',
      measured: `${round(first.readyMs / 1000)} s`,
      peer: '–',
      figure: first.readyMs / 1000,
      goal: { atMost: 25 },
      unit: ' s',
    },
    {
      what: 'ready with an imported catalog',
      measured: `${round(second.readyMs / 1000)} s`,
      peer: '–',
      figure: second.readyMs / 1000,
      goal: { atMost: 2 },
      unit: ' s',
    },
    {
      what: 'resident memory, default catalog, idle',
      measured: `${idleMb} MB`,
      peer: '–',
      figure: idleMb,
      goal: { atMost: 300 },
      unit: ' MB',
    },
  ];
}
