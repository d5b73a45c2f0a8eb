// Drawing thread that misbehaves as each job demands. It waits, throws, exits, runs out of memory, blocks in native
// code, ends or stops the process, sends malformed messages, or computes forever. A successful job returns the id of
// the process.
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { serialize } from 'node:v8';
import type { RasterizeJob } from '../../src/pictures/rasterizer.js';
import type { RasterizeReply, RasterizerMessage } from '../../workers/rasterizer-protocol.js';

/** File descriptor of the channel to the service process. */
const CHANNEL = 3;

/** Encodes a message in the format of `process.send`, because threads do not have this function. */
function channelMessage(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

const message = (sent: RasterizerMessage): Buffer => channelMessage(sent);
const MESSAGES: Readonly<Record<string, () => Buffer>> = {
  null: () => channelMessage(null),
  twice: () => message({ kind: 'ready' }),
  lie: () => channelMessage({ kind: 'ready to go' }),
  repeat: () => message({ kind: 'rejected', message: 'first' }),
};

export default async function misbehave({ svg }: RasterizeJob): Promise<RasterizeReply> {
  const done: RasterizeReply = { ok: true, bytes: Buffer.from(String(process.pid)) };
  // The first task of each thread is a real picture, because it makes the thread load the libraries.
  if (svg.startsWith('<svg')) return done;
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
  if (what === 'large') return { ok: true, bytes: new Uint8Array(70_000) };
  const sent = MESSAGES[what ?? '']?.();
  if (sent) writeSync(CHANNEL, sent);
  if (what === 'repeat') return done;
  const kept: number[][] = [];
  for (;;) if (what === 'memory') kept.push(new Array<number>(100_000).fill(kept.length));
}
