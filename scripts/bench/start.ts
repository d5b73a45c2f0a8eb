// Measures how long the service takes to start, and how much memory it uses when idle. The first start includes the
// import.
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb } from '../processes.js';
import { startProcess, type Variables } from './service.js';
import { limited, type Row } from './table.js';

/** Waiting time before memory is measured, ms. Idle threads end in this time. */
const SETTLE_MS = 10_000;

/** Measures starts. Leaves the imported catalog in the data folder. */
export async function measureStart(variables: Variables): Promise<Row[]> {
  const first = await startProcess(variables);
  await first.stop();
  const firstRow = limited('first start with import', first.readyMs / 1000, ' s', { atMost: 25 });
  return [firstRow, ...(await measureReady(variables, { name: '', seconds: 2 }))];
}

/**
 * Measures how long the service takes to start, and how much memory it uses when idle. `name`: prefix of the row names.
 * `seconds`: goal for the duration of the start.
 */
export async function measureReady(
  variables: Variables,
  { name, seconds }: { readonly name: string; readonly seconds: number },
): Promise<Row[]> {
  const service = await startProcess(variables);
  const megabytes = await memoryAtRest(service.pid);
  await service.stop();
  return [
    limited(`${name}ready with an imported catalog`, service.readyMs / 1000, ' s', { atMost: seconds }),
    limited(`${name}resident memory, default catalog, idle`, megabytes, ' MB', { atMost: 300 }),
  ];
}

export async function memoryAtRest(pid: number): Promise<number> {
  await sleep(SETTLE_MS);
  return memoryMb(pid) ?? NaN;
}
