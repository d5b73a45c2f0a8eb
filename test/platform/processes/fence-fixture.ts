// Runs in a rasterizer process in place of the code that draws pictures. Attempts what an attacker in control of the
// process could attempt, and returns the result of each attempt.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import type { RasterizeJob } from '../../../src/pictures/rasterizer.js';
import type { RasterizeReply } from '../../../workers/rasterizer-protocol.js';

export interface Attempt {
  readonly what: keyof typeof ATTEMPTS;
  readonly on: string;
}

const ATTEMPTS = {
  read: (path: string) => readFileSync(path, 'utf8'),
  list: (path: string) => readdirSync(path).join(),
  /** Returns the paths of the open files of this process. */
  opened: () => {
    const links = readdirSync('/proc/self/fd').map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        // The unreadable link belonged to the descriptor that listed /proc/self/fd. This descriptor is already closed.
        return '';
      }
    });
    return links.filter((path) => path.startsWith('/')).join();
  },
  write: (path: string) => writeFileSync(path, 'written'),
  open: (path: string) => closeSync(openSync(path, 'r+')),
  shorten(path: string) {
    const file = openSync(path, 'r+');
    ftruncateSync(file, 0);
    closeSync(file);
  },
  remove: (path: string) => unlinkSync(path),
  async connect(address: string) {
    const socket = connect(/^\d+$/.test(address) ? { port: Number(address), host: '127.0.0.1' } : { path: address });
    await once(socket, 'connect');
    socket.destroy();
  },
  /** Returns the exit status and the output of a shell command. */
  run(command: string) {
    const { error, stdout, status } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    if (error) throw error;
    return `${status}: ${stdout}`;
  },
  variables: () => Object.keys(process.env).join(),
} as const;

export default async function attempt({ svg }: RasterizeJob): Promise<RasterizeReply> {
  // The first task of each thread is a real picture, because it makes the thread load the libraries.
  const attempts = svg.startsWith('<svg') ? [] : (JSON.parse(svg) as Attempt[]);
  const outcomes: string[] = [];
  for (const { what, on } of attempts) {
    try {
      outcomes.push((await ATTEMPTS[what](on)) ?? 'done');
    } catch (error) {
      outcomes.push((error as NodeJS.ErrnoException).code ?? String(error));
    }
  }
  return { ok: true, bytes: Buffer.from(JSON.stringify(outcomes)) };
}

export const freeMemory = (): Promise<void> => Promise.resolve();
