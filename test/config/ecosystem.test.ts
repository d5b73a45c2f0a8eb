// PM2 configuration for a single process and for a cluster. Each process gets its share of the machine.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import { readEnv } from '../../config/env.js';
import { memoryShares } from '../../config/memory.js';

const FILE = new URL('../../../ecosystem.config.js', import.meta.url).href;

interface App {
  readonly exec_mode: string;
  readonly instances: number;
  readonly max_memory_restart: string;
  readonly wait_ready: boolean;
  readonly listen_timeout: number;
  readonly env: Readonly<Record<string, string>>;
}

function appOf(variables: Record<string, string>): App {
  const script = `import(${JSON.stringify(FILE)}).then(({ apps }) => console.log(JSON.stringify(apps)))`;
  const output = execFileSync(process.execPath, ['-e', script], { env: variables, encoding: 'utf8' });
  const apps = JSON.parse(output) as readonly App[];
  expect(apps).to.have.length(1);
  return apps[0]!;
}

const MONGODB_URI = 'mongodb://127.0.0.1/blazon?replicaSet=rs0';

describe('ecosystem.config.js', () => {
  it('runs one embedded process, and never a second one', () => {
    const { exec_mode, instances, env } = appOf({ BLAZON_INSTANCES: '4' });
    expect({ exec_mode, instances }).to.deep.equal({ exec_mode: 'fork', instances: 1 });
    expect(env.RENDER_THREADS).to.equal(String(availableParallelism()));
    expect(env.RENDER_CACHE_MB).to.equal('512');
  });

  it('divides the machine among the processes of the cluster', () => {
    const { exec_mode, instances, wait_ready, env } = appOf({ MONGODB_URI, BLAZON_INSTANCES: '4' });
    expect({ exec_mode, instances, wait_ready }).to.deep.equal({
      exec_mode: 'cluster',
      instances: 4,
      wait_ready: true,
    });
    expect(env.RENDER_THREADS).to.equal(String(Math.max(1, Math.floor(availableParallelism() / 4))));
    expect(env.RENDER_CACHE_MB).to.equal('128');
    expect(env.UV_THREADPOOL_SIZE).to.equal('3');
    expect(appOf({ MONGODB_URI }).instances).to.equal(Math.max(1, Math.ceil(availableParallelism() / 2)));
  });

  it('ends an old process only when the new one is ready', () => {
    const { wait_ready, listen_timeout } = appOf({ MONGODB_URI });
    // Maximum delay of a timer in Node. A longer timer would fire immediately.
    expect({ wait_ready, listen_timeout }).to.deep.equal({ wait_ready: true, listen_timeout: 2 ** 31 - 1 });
  });

  it('restarts a process beyond MEMORY_MB plus picture memory above 128 MB', () => {
    const limitOf = (variables: Record<string, string>) => appOf(variables).max_memory_restart;
    expect(limitOf({})).to.equal('1084M');
    expect(limitOf({ MONGODB_URI, BLAZON_INSTANCES: '4' })).to.equal('700M');
    expect(limitOf({ MEMORY_MB: '300', RENDER_CACHE_MB: '64' })).to.equal('300M');
    expect(limitOf({ MEMORY_MB: '4096', RENDER_CACHE_MB: '340' })).to.equal('4308M');
  });

  it('does not restart a process within the shares of its memory', () => {
    for (const MEMORY_MB of ['700', '4096'])
      for (const RENDER_CACHE_MB of ['64', '128', '340', '512', '4096']) {
        const { env, max_memory_restart } = appOf({ MEMORY_MB, RENDER_CACHE_MB });
        const shares = Object.values(memoryShares(readEnv(env, '0')));
        const sumMb = shares.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20;
        // An idle process needs 190 MB.
        expect(sumMb + 190, `${MEMORY_MB} ${RENDER_CACHE_MB}`).to.be.at.most(Number.parseInt(max_memory_restart, 10));
      }
  });

  it("keeps the operator's settings", () => {
    const given = {
      RENDER_THREADS: '7',
      MEMORY_MB: '1000',
      RENDER_CACHE_MB: '99',
      UV_THREADPOOL_SIZE: '9',
      HOST: '127.0.0.1',
      LOG_LEVEL: '',
    };
    expect(appOf({ MONGODB_URI, ...given }).env).to.include(given);
  });
});
