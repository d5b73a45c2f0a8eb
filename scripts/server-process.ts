// Runs a database server on a port of this machine. Tests can pause, kill and restart it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { processState } from './processes.js';

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 2000;

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

interface Options {
  readonly binary: string;
  readonly port: number;
  readonly args: readonly string[];
}

/** Starts a server. It ends when this process ends. Resolves when the server accepts connections. */
export async function startServerProcess(options: Options) {
  let child = await launched(options);
  /** Kills the process (SIGKILL). Resolves when the process has ended. */
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref(); // Keeps this process alive while it waits.
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  return {
    port: options.port,
    pid: (): number => child.pid ?? 0,
    /** Stops the process (SIGSTOP) and waits until it has stopped. Its connections stay open. */
    pause(): void {
      child.kill('SIGSTOP');
      awaitStop(child.pid ?? 0);
    },
    resume: (): void => void child.kill('SIGCONT'),
    kill,
    /**
     * Starts the server again on the same port and folder. If the server still runs, kills it first. Resolves when the
     * new process accepts connections.
     */
    async restart(): Promise<void> {
      await kill();
      child = await launched(options);
    },
  };
}

/**
 * Waits until SIGSTOP has paused all threads of the process. On a busy machine, the threads pause one after another.
 * Returns immediately on systems without `/proc`.
 */
function awaitStop(pid: number): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + STOP_LIMIT_MS;
  while (threadStates(pid).some((state) => state !== 'T') && performance.now() < deadline) Atomics.wait(clock, 0, 0, 1);
}

function threadStates(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/task`;
    return readdirSync(folder).map((thread) => processState(`${folder}/${thread}`));
  } catch {
    return [];
  }
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function launched({ binary, port, args }: Options): Promise<ChildProcess> {
  const child = spawn(binary, args, { stdio: 'ignore' });
  running.add(child);
  child.unref();
  child.once('exit', () => running.delete(child));
  const deadline = performance.now() + START_LIMIT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null)
      throw new Error(`${binary} ended with ${child.exitCode} before it accepted connections`);
    if (performance.now() > deadline) throw new Error(`${binary} does not accept connections`);
    await sleep(20);
  }
  return child;
}

/** Resolves to true if the server accepts a connection. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Returns a port of the loopback interface that no process listens on. */
export async function freePort(): Promise<number> {
  // The port is below the range for outgoing connections (net.ipv4.ip_local_port_range). An outgoing connection could
  // otherwise take the port before the caller uses it.
  const port = 10_000 + Math.floor(Math.random() * 22_000);
  return (await isFreePort(port)) ? port : freePort();
}

export async function isFreePort(port: number): Promise<boolean> {
  return (await portLikeThis(port)) !== undefined;
}

async function portLikeThis(wanted: number): Promise<number | undefined> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
