// A quota that two processes share. It is exact even if clients disconnect, pictures fail, or midnight passes.
import { FEATURES } from '../../src/features.js';
import { metering } from '../../src/metering/index.js';
import { openStores } from '../../src/metering/stores.cluster.js';
import type { Feature } from '../../src/platform/feature.js';
import { Agent, get } from 'node:http';
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { openClusterStores } from '../../src/platform/stores/cluster-stores.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { BUCKETS, type Bucket, type Plan } from '../../src/accounts/plan.js';
import { utcDay } from '../../src/platform/utc-day.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { clockAt } from '../support/clock.js';
import { describeWithServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';

const REQUESTS = 1000;
const LIMIT = 300;
/** Daily limit of the tier `enterprise`, which has no burst limit. */
const PNG_LIMIT = 1_000_000;
/** Number of connections. It may be high because the test does not measure response times. */
const CONNECTIONS = 100;

/**
 * HTTP status, or `aborted` if the client has disconnected, or `unknown` if Redis exceeded its time limit and may have
 * counted the request.
 */
type Outcome = number | 'aborted' | 'unknown';

/** Sends a request and resolves with the status. With `abortMs`, the client disconnects after this time in ms. */
function request(address: string, options: { agent: Agent; apiKey: string; abortMs?: number }): Promise<Outcome> {
  const { agent, apiKey, abortMs } = options;
  return new Promise((resolve) => {
    const asked = get(address, { agent, headers: { 'X-API-Key': apiKey } }, (response) => {
      let body = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
      response.on('error', () => resolve('aborted'));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        resolve(status === 503 && body.includes('"unavailable"') ? 'unknown' : status);
      });
    });
    asked.on('error', () => resolve('aborted'));
    if (abortMs !== undefined) setTimeout(() => asked.destroy(), abortMs);
  });
}

const countOf = (outcomes: readonly Outcome[], wanted: Outcome): number =>
  outcomes.filter((outcome) => outcome === wanted).length;

describeWithServers('a quota that two processes spend at once', ['mongod', 'redis-server'], () => {
  describe('over HTTP', () => {
    let cluster: ServiceCluster;
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    before(async () => {
      cluster = await openServiceCluster({
        ...(await sharedAddresses()),
        // With these settings, most concurrent pictures are rejected. The requests for rejected pictures must not count
        // against the quota.
        variables: { RENDER_THREADS: '1', RENDER_QUEUE: '2', RENDER_DISK_CACHE_MB: '0' },
      });
    });
    after(async () => {
      agent.destroy();
      await cluster.close();
    });

    async function customerWith(left: number): Promise<string> {
      const { apiKey } = await cluster.customer('enterprise');
      await cluster.setUsed(apiKey, 'png', PNG_LIMIT - left);
      return apiKey;
    }
    const address = (index: number, query: string) => `${cluster.processes[index % 2]!.base}/v1/png/acme${query}`;
    const used = (apiKey: string): Promise<number[]> =>
      Promise.all(
        cluster.processes.map(async ({ base }) => {
          const response = await fetch(`${base}/v1/usage`, { headers: { 'X-API-Key': apiKey } });
          const { endpoints } = (await response.json()) as { endpoints: Record<Bucket, { used: number }> };
          return endpoints.png.used - (PNG_LIMIT - LIMIT);
        }),
      );

    it('accepts exactly the rest of the quota', async () => {
      // First puts the picture into the cache of each process. Later requests then cannot be rejected because too many
      // pictures are being drawn.
      const warm = await customerWith(LIMIT);
      for (const index of [0, 1]) expect(await request(address(index, ''), { agent, apiKey: warm })).to.equal(200);
      const apiKey = await customerWith(LIMIT);
      const outcomes = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) => request(address(index, ''), { agent, apiKey })),
      );
      const [accepted, unknown] = [countOf(outcomes, 200), countOf(outcomes, 'unknown')];
      expect(accepted).to.be.within(LIMIT - unknown, LIMIT);
      expect(countOf(outcomes, 429)).to.equal(REQUESTS - accepted - unknown);
      expect(await used(apiKey)).to.deep.equal([LIMIT, LIMIT]);
    });

    it('counts exactly the accepted requests while clients disconnect and pictures fail', async () => {
      const apiKey = await customerWith(LIMIT);
      const outcomes = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) =>
          request(address(index, index % 4 < 2 ? '' : `?size=${16 + index}`), {
            agent,
            apiKey,
            ...(index % 5 === 0 && { abortMs: Math.random() * 100 }),
          }),
        ),
      );
      const accepted = countOf(outcomes, 200);
      const rejected = countOf(outcomes, 429) + countOf(outcomes, 503);
      const aborted = countOf(outcomes, 'aborted');
      const uncertain = aborted + countOf(outcomes, 'unknown');
      expect(accepted + rejected + uncertain, 'no other answer').to.equal(REQUESTS);
      expect(countOf(outcomes, 503), 'failing pictures').to.be.above(0);
      expect(aborted).to.be.above(0);
      for (const counted of await used(apiKey)) expect(counted).to.be.at.least(accepted);
      // Waits for the last refunds. A request is counted before its picture is drawn, and refunded if the picture is
      // rejected. Requests of disconnected clients may still be running.
      const most = Math.min(LIMIT, accepted + uncertain);
      await eventually(async () => (await used(apiKey)).every((counted) => counted <= most), 'end of the refunds');
      let rest = 0;
      await eventually(async () => {
        for (let index = 0; (await request(address(index, ''), { agent, apiKey })) === 200; index++) rest += 1;
        return (await used(apiKey)).every((counted) => counted === LIMIT);
      }, 'end of the quota');
      expect(accepted + rest, 'accepted').to.be.within(LIMIT - uncertain, LIMIT);
    });
  });

  it('accepts exactly the limit on each day over midnight, and refunds can be used on their day', async () => {
    const addresses = await sharedAddresses();
    const clock = clockAt(Date.UTC(2026, 4, 1, 23, 59, 59, 500));
    const days = [utcDay(clock.now()), utcDay(clock.now() + 1000)];
    const plan: Plan = {
      daily: Object.fromEntries(BUCKETS.map((bucket) => [bucket, LIMIT])) as Record<Bucket, number>,
      burstPerSecond: null,
      ownBrands: null,
      siteIcons: null,
    };
    const plans = { free: plan, pro: plan, enterprise: plan, internal: plan };
    const withPlans: Feature = { ...metering, cluster: async () => (family) => openStores(family, plans) };
    const features = FEATURES.map((feature) => (feature === metering ? withPlans : feature));
    const open = () => openClusterStores({ ...addresses, features, now: clock.now, onError: () => undefined });
    const processes = await Promise.all([open(), open()]);
    try {
      const { account, apiKey } = someAccount();
      await processes[0].accounts.insert(account);
      const credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
      const tallies = new Map(days.map((day) => [day, { accepted: 0, rejected: 0, refunded: 0 }]));
      async function one(index: number): Promise<void> {
        const { admissions } = processes[index % 2]!;
        const admission = await admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
        if (admission.rejected !== null && admission.rejected !== 'quota') throw new Error(admission.rejected);
        const { day } = admission.quota;
        const tally = tallies.get(day)!;
        if (admission.rejected === 'quota') tally.rejected += 1;
        else if (index % 10 === 0) {
          tally.refunded += 1;
          await admissions.refund({ ...credential, bucket: 'svg', day });
        } else tally.accepted += 1;
      }
      const asked: Promise<void>[] = [];
      for (let index = 0; index < REQUESTS; index++) {
        asked.push(one(index));
        clock.advance(1);
        // Waits from time to time. Otherwise all requests would run at the same time, and only one of the days would
        // get requests.
        if (index % 20 === 0) await asked.at(-1);
      }
      await Promise.all(asked);
      const [first, second] = days.map((day) => tallies.get(day)!);
      expect(first!.refunded).to.be.above(0);
      expect(first!.rejected, 'more were asked for than there were').to.be.above(0);
      expect(second!.rejected).to.be.above(0);
      expect(first!.accepted).to.be.at.most(LIMIT);
      // Uses up the second day's quota. Requests that were refunded after the last rejection have freed a part of it.
      while (second!.rejected > 0) {
        const { rejected } = await processes[1].admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
        if (rejected !== null) break;
        second!.accepted += 1;
      }
      expect(second!.accepted).to.equal(LIMIT);
      await Promise.all(processes.map((one) => one.close()));
      const beside = await open();
      try {
        const history = await beside.usage.range(account.id, ALL_DAYS);
        const counts = history.map(({ day, used }) => [day, used]);
        expect(counts).to.deep.equal([
          [days[0], { svg: first!.accepted }],
          [days[1], { svg: LIMIT }],
        ]);
      } finally {
        await beside.close();
      }
    } finally {
      await Promise.allSettled(processes.map((one) => one.close()));
    }
  });
});
