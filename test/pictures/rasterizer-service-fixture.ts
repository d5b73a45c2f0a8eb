// Service with a drawing that hangs in native code. Sends the id of its rasterizer process to the parent.
import { readFileSync } from 'node:fs';
import { testRasterizer } from '../support/pictures.js';

const rasterizer = testRasterizer({
  worker: new URL('./rasterizer-fixture.js', import.meta.url),
  processes: 1,
  timeoutMs: 60_000,
});
const draw = (svg: string) => rasterizer.rasterize({ svg, width: 8, height: 8, format: 'png', quality: null });
await draw('wait 1');
void draw('native');
setTimeout(() => process.send?.(Number(readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim())), 200);
