// Load on service processes while their servers fail: every answer must be right, or 503 in time.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Customer } from './server.js';
import { regenerateKey, statusOfKey, type ServiceCluster } from './service-cluster.js';
import { askOnce, type LoadAnswer } from './service-load.js';

/** The promise is a second; the rest is for the test machine, on which the processes and all servers share two cores. */
const ANSWER_LIMIT_MS = 1000 + 1000;
/** The promise is five seconds. */
const RECOVERY_LIMIT_MS = 5000 + 3000;
/** A change has several steps, each of which may take almost a second, and waits for a lock for up to five. */
const CHANGE_LIMIT_MS = 5000 + 3000;
const PAUSE_MS = 5;
/** Before and after a fault. */
const CALM_MS = 500;
const CHANGE_PAUSE_MS = 250;

interface Kind {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: number;
  readonly counts: boolean;
}

interface OutageLoad {
  /** Resolves when every kind of request is answered as it should be at both processes; fails after the limit. */
  recovered(): Promise<void>;
  /** Ends the load, and judges what came of it. */
  stop(): Promise<Judgement>;
}

export interface Judgement {
  /** Of the bucket `svg`. */
  readonly accepted: number;
  readonly unavailable: number;
  readonly used: number;
}

/** Requests of every kind at both processes, and changes of another account's key one after the other. */
async function startOutageLoad(cluster: ServiceCluster): Promise<OutageLoad> {
  const [customer, changing] = [await cluster.customer(), await cluster.customer()];
  const kinds = await kindsOf(cluster, customer);
  const problems: string[] = [];
  const tally = { accepted: 0, unavailable: 0 };
  let isOver = false;
  async function tallied(kind: Kind, { base, agent }: { readonly base: string; readonly agent: Agent }) {
    const answer = await askOnce(base + kind.path, { agent, headers: kind.headers });
    if (kind.counts && answer.status === 200) tally.accepted += 1;
    if (kind.counts && answer.status === 503) tally.unavailable += 1;
    return answer;
  }
  const bases = cluster.processes.map(({ base }) => base);
  // The first picture waits for the process that draws it, which is no fault.
  await recovered(bases, kinds, tallied);
  const clients = cluster.processes.flatMap(({ base }) =>
    kinds.map(async (kind) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        const problem = problemOf(kind, await tallied(kind, { base, agent }));
        if (problem !== undefined) problems.push(problem);
        await sleep(PAUSE_MS);
      }
      agent.destroy();
    }),
  );
  const changes = changeKeys(cluster, changing, { problems, isOver: () => isOver });

  return {
    recovered: () => recovered(bases, kinds, tallied),
    async stop() {
      isOver = true;
      await Promise.all(clients);
      const keys = await changes;
      expect([...new Set(problems)].slice(0, 10)).to.deep.equal([]);
      await expectOneKey(cluster, changing, keys);
      return { ...tally, used: await usedOf(cluster, customer.id) };
    },
  };
}

/** Load before, during and after a fault; fails unless some requests were accepted. */
export async function loadThrough(cluster: ServiceCluster, cause: () => Promise<unknown>): Promise<Judgement> {
  const load = await startOutageLoad(cluster);
  await sleep(CALM_MS);
  await cause();
  await load.recovered();
  await sleep(CALM_MS);
  const judgement = await load.stop();
  expect(judgement.accepted).to.be.above(0);
  return judgement;
}

async function kindsOf(cluster: ServiceCluster, { apiKey: old, accessToken }: Customer): Promise<readonly Kind[]> {
  const { apiKey = '' } = await regenerateKey(cluster.processes[0].base, accessToken);
  const none = { headers: {}, counts: false };
  const withKey = { headers: { 'X-API-Key': apiKey }, counts: false };
  return [
    { ...withKey, path: '/v1/svg/acme', expected: 200, counts: true },
    { ...withKey, path: '/v1/png/bolt', expected: 200 },
    { ...withKey, path: '/v1/search?q=coil', expected: 200 },
    { ...withKey, path: '/v1/svg/nothing-like-this', expected: 404 },
    { ...none, headers: { 'X-API-Key': old }, path: '/v1/svg/acme', expected: 401 },
    { ...none, headers: { Authorization: `Bearer ${accessToken}` }, path: '/auth/me', expected: 200 },
    { ...none, path: '/healthz', expected: 200 },
  ];
}

function problemOf({ path, expected }: Kind, { status, headers, tookMs, body }: LoadAnswer): string | undefined {
  if (tookMs > ANSWER_LIMIT_MS) return `${path}: ${status} after ${Math.round(tookMs)} ms`;
  if (status === expected) return undefined;
  if (status === 503 && headers['retry-after'] !== undefined && path !== '/healthz') return undefined;
  return `${path}: ${status} in the place of ${expected}: ${body.slice(0, 200)}`;
}

type Tallied = (kind: Kind, to: { readonly base: string; readonly agent: Agent }) => Promise<LoadAnswer>;

/** Until every kind is answered. */
async function recovered(bases: readonly string[], kinds: readonly Kind[], ask: Tallied): Promise<void> {
  const beganMs = performance.now();
  const agent = new Agent({ keepAlive: true });
  async function recoveredKind(base: string, kind: Kind): Promise<void> {
    for (;;) {
      const { status } = await ask(kind, { base, agent });
      expect(performance.now() - beganMs, `recovery of ${kind.path}: ${status}`).to.be.below(RECOVERY_LIMIT_MS);
      if (status === kind.expected) return;
      await sleep(20);
    }
  }
  await Promise.all(bases.flatMap((base) => kinds.map((kind) => recoveredKind(base, kind))));
  agent.destroy();
}

interface Changing {
  readonly problems: string[];
  readonly isOver: () => boolean;
}

/** All keys that the account had, as far as they were returned. */
async function changeKeys(
  cluster: ServiceCluster,
  customer: Customer,
  { problems, isOver }: Changing,
): Promise<string[]> {
  const keys = [customer.apiKey];
  for (let turn = 0; !isOver(); turn++) {
    const beganMs = performance.now();
    const { status, apiKey } = await regenerateKey(cluster.processes[turn % 2]!.base, customer.accessToken);
    const tookMs = performance.now() - beganMs;
    if (apiKey !== undefined) keys.push(apiKey);
    else if (status !== 503) problems.push(`regenerate-key: ${status}`);
    if (tookMs > CHANGE_LIMIT_MS) problems.push(`regenerate-key: ${status} after ${Math.round(tookMs)} ms`);
    await sleep(CHANGE_PAUSE_MS);
  }
  return keys;
}

/** After one more change, its key works, and none of those before. */
async function expectOneKey(
  cluster: ServiceCluster,
  { accessToken }: Customer,
  keys: readonly string[],
): Promise<void> {
  const last = await decided(async () => {
    const { status, apiKey } = await regenerateKey(cluster.processes[0].base, accessToken);
    return apiKey ?? status;
  });
  for (const { base } of cluster.processes) {
    for (const key of keys) expect(await decided(() => statusOfKey(base, key)), 'a replaced key').to.equal(401);
    expect(await decided(() => statusOfKey(base, String(last))), 'the last key').to.equal(200);
  }
}

/** Whatever comes after 503: an election may still follow. */
async function decided<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer !== 503 || tries === 20) return answer;
    await sleep(250);
  }
}

async function usedOf({ stores }: ServiceCluster, id: string): Promise<number> {
  const usage = await stores.admissions.usageOf(id as never);
  if ('rejected' in usage) throw new Error(usage.rejected);
  return usage.used.svg;
}
