// One database server of the tests: a process on a free port with an empty folder, which a test may pause, kill and
// restart.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const START_LIMIT_MS = 20_000;

export interface ServerProcess {
  readonly port: number;
  /** Stops the process at once (SIGSTOP); it keeps its connections. */
  pause(): void;
  resume(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same folder, after `kill` or while it runs. Resolves when it accepts connections. */
  restart(): Promise<void>;
}

interface Options {
  readonly binary: string;
  readonly port: number;
  readonly args: readonly string[];
}

/** Resolves when it accepts connections. It ends with this process. */
export async function startServerProcess(options: Options): Promise<ServerProcess> {
  let child = await launched(options);
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  return {
    port: options.port,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      child = await launched(options);
    },
  };
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

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
