// Thread entry: draws what arrives on a pipe from the service, one picture after the other, for as long as the process
// lives. Its reads wait: the thread has nothing else to do, and a message through the process's main thread and back takes the
// processor a tenth of the time of a picture.
import { readSync, writeSync } from 'node:fs';
import type { RasterizeJob } from '../../src/ports/rasterizer.js';
import { FRAME_HEADER_BYTES, type RasterizeReplyFields, type RasterizeTaskFields } from '../rasterizer-protocol.js';
import type * as Rasterize from './rasterize.js';

export interface ThreadOptions {
  /** File of the compiled `rasterize`. */
  readonly rasterizer: string;
  /** File descriptor of the pipe. */
  readonly pipe: number;
  /** Shared with the main thread; `TASK` says what stands where. */
  readonly task: Uint32Array;
}

/** Unit of the shared times: 32 bits are enough for a year. */
export const TICK_MS = 10;
/** Places in the shared memory. */
export const TASK = {
  /** Processor time of the process when the task under way began, in `TICK_MS`, plus 1; 0 without a task. */
  began: 0,
  /** Number of the task under way or the last one; the first is 1. */
  number: 1,
} as const;

/** Offset in the header. */
const CONTENT_LENGTH_AT = 4;
const NO_CONTENT = new Uint8Array(0);

/** Loads the libraries. */
const FIRST_TASK: RasterizeJob = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  width: 1,
  height: 1,
  format: 'png',
  quality: null,
};

/** Resolves when the service has closed the pipe. */
export default async function serve({ rasterizer, pipe, task: shared }: ThreadOptions): Promise<void> {
  const { default: rasterize, freeMemory } = (await import(rasterizer)) as typeof Rasterize;
  await rasterize(FIRST_TASK);
  writeFrame(pipe, { kind: 'ready' });
  for (let task = readTask(pipe); task !== undefined; task = readTask(pipe)) {
    const before = cpuMs();
    const number = Atomics.add(shared, TASK.number, 1) + 1;
    Atomics.store(shared, TASK.began, Math.ceil(before / TICK_MS) + 1);
    const reply = await rasterize(task);
    Atomics.store(shared, TASK.began, 0);
    if (reply.ok) writeFrame(pipe, { kind: 'picture', number, cpuMs: cpuMs() - before }, reply.bytes);
    else writeFrame(pipe, { kind: 'rejected', number, message: reply.message });
    await freeMemory();
  }
}

/** Processor time of all threads of this process: libvips draws in one of its own. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function readTask(pipe: number): RasterizeJob | undefined {
  const header = readWhole(pipe, FRAME_HEADER_BYTES);
  if (header === undefined) return undefined;
  const fieldsLength = header.readUInt32LE(0);
  const body = readWhole(pipe, fieldsLength + header.readUInt32LE(CONTENT_LENGTH_AT));
  if (body === undefined) return undefined;
  const fields = JSON.parse(body.toString('utf8', 0, fieldsLength)) as RasterizeTaskFields;
  return { svg: body.toString('utf8', fieldsLength), ...fields };
}

/** Undefined at the end of the pipe. */
function readWhole(pipe: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const read = readSync(pipe, bytes, at, length - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

function writeFrame(pipe: number, fields: RasterizeReplyFields, content: Uint8Array = NO_CONTENT): void {
  const json = Buffer.from(JSON.stringify(fields));
  const header = Buffer.allocUnsafe(FRAME_HEADER_BYTES);
  header.writeUInt32LE(json.length, 0);
  header.writeUInt32LE(content.length, CONTENT_LENGTH_AT);
  const bytes = Buffer.concat([header, json, content]);
  for (let at = 0; at < bytes.length;) at += writeSync(pipe, bytes, at, bytes.length - at);
}
