// PM2's configuration: what each family gets, and each process's share of the machine.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect } from 'chai';

const FILE = new URL('../../../../ecosystem.config.js', import.meta.url).href;

interface App {
  readonly exec_mode: string;
  readonly instances: number;
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
  it('runs one embedded process, and never a second one beside it', () => {
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
    // The longest that a timer of Node takes: a longer one would end it at once.
    expect({ wait_ready, listen_timeout }).to.deep.equal({ wait_ready: true, listen_timeout: 2 ** 31 - 1 });
  });

  it('leaves what the operator sets', () => {
    const given = {
      RENDER_THREADS: '7',
      RENDER_CACHE_MB: '99',
      UV_THREADPOOL_SIZE: '9',
      HOST: '127.0.0.1',
      LOG_LEVEL: '',
    };
    expect(appOf({ MONGODB_URI, ...given }).env).to.include(given);
  });
});
