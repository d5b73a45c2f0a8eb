// Accounts: sign-ins, regenerations of keys, and what a flood of sign-ins does to the delivery of pictures.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnv } from '../../config/env.js';
import { readPlans } from '../../config/plans.js';
import { composeAccounts, type AccountParts } from '../../src/compose/accounts.js';
import { openCommandStores } from '../../src/compose/embedded-stores.js';
import { regenerateKey } from '../../src/domain/account/changes/credentials.js';
import { newAccount } from '../../src/domain/account/changes/lifecycle.js';
import type { AccountId } from '../../src/domain/account/account.js';
import { median, runLoad, type LoadResult } from './load.js';
import { startService, temporaryData, type MeasuredService } from './service.js';
import { perSecond, round, type Row } from './table.js';

const PASSWORD = 'a long pass phrase';
/** So many that no core reaches the limit of sign-ins per account. */
const ACCOUNTS = 10 * availableParallelism();
const SIGN_IN_SECONDS = 5;
export const MANY = 1000;
export const REGENERATIONS = 5000;
/** Fewer than a mailbox holds. */
export const AT_ONCE = 16;
const LATENCY_SECONDS = 4;
const FLOOD_ROUNDS = 5;
const LATENCY_CONNECTIONS = 8;
const WRONG_PASSWORD = 'not that pass phrase';
/** Between two tries on each of 64 connections, ms: 3,000 a second. */
const PAUSE_MS = 20;
const OPERATOR = { kind: 'operator', address: null } as const;

export async function measureAccounts(dataDir: string): Promise<Row[]> {
  const rows = await measureRegenerations();
  const service = await startService(dataDir, { TRUST_PROXY: '1' });
  try {
    rows.push(await measureSignIns(service));
    for (const flood of FLOODS) rows.push(await measureFlood(service, flood));
  } finally {
    await service.stop();
  }
  return rows;
}

/**
 * Through the actor, without HTTP and without the password that a customer has to give: that is what sign-ins measure.
 */
async function measureRegenerations(): Promise<Row[]> {
  const data = temporaryData();
  const stores = openCommandStores({
    dataDir: data.path,
    plans: readPlans(),
    now: Date.now,
    onError: console.error,
  });
  const parts = composeAccounts({
    env: readEnv({ DATA_DIR: data.path }, '0.0.0'),
    stores,
    now: Date.now,
    onError: console.error,
    mails: 'by the job',
  });
  try {
    const ids = await insertAccounts(parts);
    const many = await regenerationsPerSecond(parts, (index) => ids[index % MANY]);
    const one = await regenerationsPerSecond(parts, () => ids[0]);
    const row = { goal: null, unit: '/s' } as const;
    return [
      {
        ...row,
        what: `regenerations, ${MANY} accounts, ${AT_ONCE} at once`,
        measured: perSecond(many),
        peer: '–',
        figure: many,
      },
      {
        ...row,
        what: `regenerations, one account, ${AT_ONCE} at once`,
        measured: perSecond(one),
        peer: `many accounts ${perSecond(many)}`,
        figure: one,
      },
    ];
  } finally {
    await parts.close();
    await stores.close();
    data.remove();
  }
}

export async function insertAccounts({ accounts }: Pick<AccountParts, 'accounts'>): Promise<AccountId[]> {
  const ids: AccountId[] = [];
  for (let count = 0; count < MANY; count++) {
    const email = `bench-${count}@example.com`;
    const { account } = newAccount({ email, passwordHash: 'none', tier: 'free', at: new Date() });
    await accounts.insert(account);
    ids.push(account.id);
  }
  return ids;
}

export async function regenerationsPerSecond(
  { actors }: Pick<AccountParts, 'actors'>,
  pick: (index: number) => AccountId | undefined,
): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < REGENERATIONS) {
      const id = pick(next++);
      if (id !== undefined) await actors.run(id, OPERATOR, (account, at) => regenerateKey(account, undefined, at));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return REGENERATIONS / ((performance.now() - startedAt) / 1000);
}

async function measureSignIns(service: MeasuredService): Promise<Row> {
  const agent = new Agent({ keepAlive: true });
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => `bench-sign-in-${index}@example.com`);
  for (const [index, email] of emails.entries())
    await post(service, '/auth/register', { agent, body: { email, password: PASSWORD }, from: index });
  const until = performance.now() + SIGN_IN_SECONDS * 1000;
  let done = 0;
  const worker = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < until) {
      const status = await post(service, '/auth/login', {
        agent,
        body: { email: emails[index % ACCOUNTS], password: PASSWORD },
        from: index,
      });
      if (status !== 200) throw new Error(`/auth/login answered ${status}`);
      done++;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() * 2 }, worker));
  agent.destroy();
  const perCore = done / SIGN_IN_SECONDS / availableParallelism();
  return {
    what: 'sign-ins per core',
    measured: `${perSecond(done / SIGN_IN_SECONDS)} on ${availableParallelism()} cores`,
    peer: 'argon2id, 19 MiB, 2 passes',
    figure: perCore,
    goal: null,
    unit: '/s',
  };
}

interface Flood {
  readonly what: string;
  readonly emailOf: (number: number) => string;
  readonly connections: number;
}

/** Always from ever other client addresses. Where the e-mail address is another each time too, no budget stops them. */
const FLOODS: readonly Flood[] = [
  { what: 'for one e-mail address, 1000 at once', emailOf: () => 'bench-sign-in-0@example.com', connections: 1000 },
  { what: 'for ever other ones, 64 at once', emailOf: (number) => `flood-${number}@example.com`, connections: 64 },
];

/** Idle and flooded in turn; of each the median. */
async function measureFlood(service: MeasuredService, flood: Flood): Promise<Row> {
  const { base, headers } = service;
  const load = () =>
    runLoad({ base, headers, paths: ['/v1/svg/github'], seconds: LATENCY_SECONDS, connections: LATENCY_CONNECTIONS });
  const idle: LoadResult[] = [];
  const busy: LoadResult[] = [];
  const statuses = new Map<string, number>();
  for (let round = 0; round < FLOOD_ROUNDS; round++) {
    idle.push(await load());
    const stop = await openFlood(service, flood, statuses);
    await sleep(1000);
    busy.push(await load());
    stop();
  }
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const [busyMs, idleMs] = [medianOf(busy, 'p99Ms'), medianOf(idle, 'p99Ms')];
  return {
    what: `SVG p99 during a flood of wrong passwords ${flood.what}`,
    measured: `${round(busyMs)} ms, ${perSecond(medianOf(busy, 'requestsPerSecond'))}; sign-ins: ${counts}`,
    peer: `idle ${round(idleMs)} ms, ${perSecond(medianOf(idle, 'requestsPerSecond'))}`,
    figure: busyMs / idleMs,
    goal: { atMost: 2 },
    unit: '×',
  };
}

const medianOf = (results: readonly LoadResult[], figure: keyof LoadResult): number =>
  median(results.map((result) => result[figure]));

/** Bare sockets: a client that takes a core for itself would measure itself. Returns what ends it. */
async function openFlood(
  { base }: MeasuredService,
  { emailOf, connections }: Flood,
  statuses: Map<string, number>,
): Promise<() => void> {
  const { hostname, port, host } = new URL(base);
  let number = 0;
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const ask = (): void => {
      number += 1;
      const body = JSON.stringify({ email: emailOf(number), password: WRONG_PASSWORD });
      socket.write(
        `POST /auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
          `X-Forwarded-For: ${addressOf(number)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    socket.on('data', (answer: Buffer) => {
      const status = answer.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      setTimeout(() => socket.writable && ask(), PAUSE_MS * (connections / 64));
    });
    ask();
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Each number is another client address. */
const addressOf = (number: number): string => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

interface Post {
  readonly agent: Agent;
  readonly body: object;
  /** Each number is another client address. */
  readonly from: number;
}

function post({ base }: MeasuredService, path: string, { agent, body, from }: Post): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      base + path,
      { method: 'POST', agent, headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': addressOf(from) } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
