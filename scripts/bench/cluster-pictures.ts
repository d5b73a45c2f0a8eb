// Pictures from the disk cache against pictures from memory, each by a service process of its own.
import { Agent } from 'node:http';
import type { Cluster } from './database-servers.js';
import { compareRates } from './delivery.js';
import { visit } from './load.js';
import { startProcess } from './service.js';
import { perSecond, type Row } from './table.js';

const PICTURES = 600;
/** MB; the pictures are together larger, so that none is still there when its turn comes again. */
const SMALL_MEMORY = '1';

/** Two services on one folder: one keeps all pictures in memory, the other one reads each from disk. */
export async function measurePictures({ variables, keys: [key = ''] }: Cluster): Promise<Row[]> {
  const drawing = await startProcess(variables);
  const headers = { 'X-API-Key': key };
  const paths = Array.from({ length: PICTURES }, (_, index) => `/v1/png/github?size=${200 + index}`);
  try {
    const agent = new Agent({ keepAlive: true });
    for (const path of paths) await visit(drawing.base + path, agent, headers);
    agent.destroy();
  } finally {
    await drawing.stop();
  }
  const [memory, disk] = [
    await startProcess(variables),
    await startProcess({ ...variables, RENDER_CACHE_MB: SMALL_MEMORY }),
  ];
  try {
    const rates = await compareRates({
      memory: { base: memory.base, headers, paths },
      disk: { base: disk.base, headers, paths },
    });
    const { memory: fromMemory = NaN, disk: fromDisk = NaN } = rates;
    return [
      {
        what: `cluster: ${PICTURES} PNG from the disk after a restart`,
        measured: perSecond(fromDisk),
        peer: `from memory ${perSecond(fromMemory)}`,
        figure: fromDisk / fromMemory,
        goal: { atLeast: 0.5 },
        unit: '×',
      },
    ];
  } finally {
    await Promise.all([memory.stop(), disk.stop()]);
  }
}
