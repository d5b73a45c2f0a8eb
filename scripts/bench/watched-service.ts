// Runs the service with a monitor of its event loop, which the parent reads over IPC.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

process.on('message', (question) => {
  if (question === 'reset') delay.reset();
  // The histogram includes the interval of the monitor's own timer, so the interval is subtracted.
  process.send?.(Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS));
});

await import('../../src/main.js');
