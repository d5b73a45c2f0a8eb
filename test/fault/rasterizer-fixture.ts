// A drawing thread that does what the job says instead of drawing: waits, throws, exits, runs out of memory, blocks in
// native code, ends or stops the process, sends what is no message or no reply, and else computes for ever. Its answer is the id of its process.
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { serialize } from 'node:v8';
import { frameOf } from '../../src/adapters/workers/frames.js';
import type { RasterizeJob } from '../../src/ports/rasterizer.js';
import type { RasterizeReply } from '../../workers/rasterizer-protocol.js';

/** To the service. */
const CHANNEL = 3;
const PIPE = 4;

/** As `process.send` writes it, which a thread does not have. */
function channelMessage(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** As the service counts them. */
let number = 0;

const picture = (text: string): Buffer => frameOf({ kind: 'picture', number, cpuMs: 1 }, text);
const FRAMES: Readonly<Record<string, () => Buffer>> = {
  garble: () => Buffer.alloc(64, 255),
  twice: () => frameOf({ kind: 'ready' }, ''),
  large: () => picture('x'.repeat(70_000)),
  lie: () => frameOf({ kind: 'ready to go' }, ''),
  repeat: () => picture('first'),
};

export default async function misbehave({ svg }: RasterizeJob): Promise<RasterizeReply> {
  const done: RasterizeReply = { ok: true, bytes: Buffer.from(String(process.pid)) };
  // The first task of every thread is a picture.
  if (svg.startsWith('<svg')) return done;
  number++;
  const [what, milliseconds] = svg.split(' ');
  if (what === 'wait') {
    await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    return done;
  }
  if (what === 'throw') throw new Error('thrown in the thread');
  if (what === 'exit') process.exit(3);
  if (what === 'native') spawnSync('sleep', ['60']);
  if (what === 'abort') process.kill(process.pid, 'SIGABRT');
  if (what === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (what === 'null') writeSync(CHANNEL, channelMessage(null));
  const frame = FRAMES[what ?? '']?.();
  if (frame) writeSync(PIPE, frame);
  if (what === 'repeat') return done;
  const kept: number[][] = [];
  for (;;) if (what === 'memory') kept.push(new Array<number>(100_000).fill(kept.length));
}

export const freeMemory = (): Promise<void> => Promise.resolve();
