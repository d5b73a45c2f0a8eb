// Two service processes of the cluster family against one, and the processor time of everything that takes part.
import type { Cluster } from './database-servers.js';
import { median, runLoad } from './load.js';
import { processStatus } from '../processes.js';
import { startProcess } from './service.js';
import { perSecond, round, type Row } from './table.js';

const SECONDS = 4;
const ROUNDS = 5;
const CONNECTIONS = 64;
const PER_REQUESTS = 100_000;

const processorSeconds = (pid: number): number => processStatus(`/proc/${pid}`).processorSeconds;

type Parts = Readonly<Record<'service' | 'Redis' | 'MongoDB', number>>;

interface Round {
  readonly rate: number;
  /** Processor seconds of 100,000 requests. */
  readonly seconds: Parts;
}

export async function measureTwoProcesses({ servers, variables, keys }: Cluster): Promise<Row[]> {
  const services = [await startProcess(variables), await startProcess(variables)] as const;
  const spent = (): Parts => ({
    service: services.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
    Redis: processorSeconds(servers.redisPid),
    MongoDB: processorSeconds(servers.mongoPid),
  });

  async function load(bases: readonly string[]): Promise<Round> {
    const before = spent();
    const results = await Promise.all(
      bases.map((base) =>
        runLoad({
          base,
          keys: keys.slice(0, 1),
          paths: ['/v1/svg/github'],
          seconds: SECONDS,
          connections: CONNECTIONS / bases.length,
        }),
      ),
    );
    const after = spent();
    const rate = results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
    const each = (part: keyof Parts): number => ((after[part] - before[part]) * PER_REQUESTS) / (rate * SECONDS);
    return { rate, seconds: { service: each('service'), Redis: each('Redis'), MongoDB: each('MongoDB') } };
  }

  try {
    const [one, two]: [Round[], Round[]] = [[], []];
    const bases = services.map(({ base }) => base);
    for (let count = 0; count <= ROUNDS; count++) {
      const [alone, both] = [await load(bases.slice(0, 1)), await load(bases)];
      // The first round warms up.
      if (count === 0) continue;
      one.push(alone);
      two.push(both);
    }
    return [processesRow(one, two), secondsRow('one process', one), secondsRow('two processes', two)];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

const rateOf = (rounds: readonly Round[]): number => median(rounds.map(({ rate }) => rate));

/** No goal: with as many cores as processes, the clients and the servers take theirs from them. */
function processesRow(one: readonly Round[], two: readonly Round[]): Row {
  return {
    what: 'cluster: two processes',
    measured: perSecond(rateOf(two)),
    peer: `one process ${perSecond(rateOf(one))}`,
    figure: rateOf(two) / rateOf(one),
    goal: null,
    unit: '×',
  };
}

function secondsRow(what: string, rounds: readonly Round[]): Row {
  const of = (part: keyof Parts): number => median(rounds.map(({ seconds }) => seconds[part]));
  const total = of('service') + of('Redis') + of('MongoDB');
  return {
    what: `cluster: processor time of 100,000 requests, ${what}`,
    measured: `service ${round(of('service'))} s, Redis ${round(of('Redis'))} s, MongoDB ${round(of('MongoDB'))} s`,
    peer: '–',
    figure: total,
    goal: null,
    unit: ' s',
  };
}
