// A drawing thread that does what the job says instead of drawing: waits, throws, exits, runs out of memory, and else hangs.
import type { RasterReply, RasterTask } from '../../workers/protocol.js';

export default async function misbehave({ svg, startedAt }: RasterTask): Promise<RasterReply> {
  new Float64Array(startedAt)[0] = Date.now();
  const [what, milliseconds] = svg.split(' ');
  if (what === 'wait') {
    await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    return { ok: true, bytes: Buffer.from(svg) };
  }
  if (what === 'throw') throw new Error('thrown in the thread');
  if (what === 'exit') process.exit(3);
  const kept: number[][] = [];
  for (;;) if (what === 'memory') kept.push(new Array<number>(100_000).fill(kept.length));
}
