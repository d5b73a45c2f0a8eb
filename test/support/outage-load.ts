// Load on service processes while their database servers fail. Every response must be correct or 503, and must arrive
// before the failure ends.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from './auth.js';
import type { Customer } from './server.js';
import { finalAnswer, regenerateKey, replacedKey, statusOfKey, type ServiceCluster } from './service-cluster.js';
import { askOnce, type LoadAnswer } from './service-load.js';

const PAUSE_MS = 5;
const CHANGE_PAUSE_MS = 250;
/**
 * Number of responses to wait for, per client. The first response may belong to an earlier request, so two are needed.
 */
const ANSWERS = 2;

/**
 * Causes a failure and ends it. After a call of `answered`, every client sends a new request. The promise of `answered`
 * resolves when every client has received a response to its new request.
 */
export type Fault = (answered: () => Promise<void>) => Promise<unknown>;

interface Kind {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: number;
  readonly counts: boolean;
}

export interface Judgement {
  /** Number of accepted requests in the bucket `svg`. */
  readonly accepted: number;
  readonly unavailable: number;
  readonly used: number;
}

/** Sends requests of every kind to both processes. Also replaces the key of another account repeatedly. */
async function startOutageLoad(cluster: ServiceCluster) {
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
  // Waits for a first picture of each process. The start of a rasterizer process takes time, which would look like a
  // failure.
  await recovered(bases, kinds, tallied);
  const counts: { answers: number }[] = [];
  const counted = () => {
    const count = { answers: 0 };
    counts.push(count);
    return () => void (count.answers += 1);
  };
  const clients = cluster.processes.flatMap(({ base }) =>
    kinds.map(async (kind) => {
      const onAnswer = counted();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        const problem = problemOf(kind, await tallied(kind, { base, agent }));
        if (problem !== undefined) problems.push(problem);
        onAnswer();
        await sleep(PAUSE_MS);
      }
      agent.destroy();
    }),
  );
  const changes = changeKeys(cluster, changing, { problems, isOver: () => isOver, onAnswer: counted() });

  return {
    /** Resolves when each client has received `ANSWERS` more responses. */
    async answered(): Promise<void> {
      const awaited = counts.map((count) => ({ count, enough: count.answers + ANSWERS }));
      await eventually(() => awaited.every(({ count, enough }) => count.answers >= enough), 'answers to all clients');
    },
    /** Resolves when both processes respond to every kind of request with 200. */
    recovered: () => recovered(bases, kinds, tallied),
    /** Ends the load. Checks the responses and the counts. */
    async stop(): Promise<Judgement> {
      isOver = true;
      await Promise.all(clients);
      const keys = await changes;
      expect([...new Set(problems)].slice(0, 10)).to.deep.equal([]);
      await expectOneKey(cluster, changing, keys);
      return { ...tally, used: await usedOf(cluster, customer.id) };
    },
  };
}

/** Sends load before, during and after a failure. Throws if no request was accepted. */
export async function loadThrough(cluster: ServiceCluster, cause: Fault): Promise<Judgement> {
  const load = await startOutageLoad(cluster);
  await load.answered();
  await cause(() => load.answered());
  await load.recovered();
  await load.answered();
  const judgement = await load.stop();
  expect(judgement.accepted).to.be.above(0);
  return judgement;
}

async function kindsOf(cluster: ServiceCluster, { apiKey: old, accessToken }: Customer): Promise<readonly Kind[]> {
  const apiKey = await replacedKey(cluster.processes[0].base, accessToken);
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

function problemOf({ path, expected }: Kind, { status, headers, body }: LoadAnswer): string | undefined {
  if (status === expected) return undefined;
  if (status === 503 && headers['retry-after'] !== undefined && path !== '/healthz') return undefined;
  return `${path}: ${status} in the place of ${expected}: ${body.slice(0, 200)}`;
}

type Tallied = (kind: Kind, to: { readonly base: string; readonly agent: Agent }) => Promise<LoadAnswer>;

/** Waits until each process responds to every kind of request with 200. */
async function recovered(bases: readonly string[], kinds: readonly Kind[], ask: Tallied): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const asked = bases.flatMap((base) =>
    kinds.map((kind) =>
      eventually(
        async () => (await ask(kind, { base, agent })).status === kind.expected,
        `recovery of ${kind.path} at ${base}`,
      ),
    ),
  );
  await Promise.all(asked);
  agent.destroy();
}

interface Changing {
  readonly problems: string[];
  readonly isOver: () => boolean;
  readonly onAnswer: () => void;
}

/** Replaces the key repeatedly until `isOver` is true. Returns all keys that a response contained. */
async function changeKeys(
  cluster: ServiceCluster,
  customer: Customer,
  { problems, isOver, onAnswer }: Changing,
): Promise<string[]> {
  const keys = [customer.apiKey];
  for (let turn = 0; !isOver(); turn++) {
    const { status, apiKey } = await regenerateKey(cluster.processes[turn % 2]!.base, customer.accessToken);
    if (apiKey !== undefined) keys.push(apiKey);
    else if (status !== 503) problems.push(`regenerate-key: ${status}`);
    onAnswer();
    await sleep(CHANGE_PAUSE_MS);
  }
  return keys;
}

/** Replaces the key once more. Expects that the new key works, and that all earlier keys are rejected. */
async function expectOneKey(
  cluster: ServiceCluster,
  { accessToken }: Customer,
  keys: readonly string[],
): Promise<void> {
  const last = await replacedKey(cluster.processes[0].base, accessToken);
  for (const { base } of cluster.processes) {
    for (const key of keys) expect(await finalAnswer(() => statusOfKey(base, key)), 'a replaced key').to.equal(401);
    expect(await finalAnswer(() => statusOfKey(base, last)), 'the last key').to.equal(200);
  }
}

async function usedOf({ stores }: ServiceCluster, id: string): Promise<number> {
  const usage = await stores.admissions.usageOf(id as never);
  if ('rejected' in usage) throw new Error(usage.rejected);
  return usage.used.svg;
}
