// Revoked keys, ended sessions and lowered tiers: the change applies in every process as soon as the response confirms
// it.
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import type { Customer } from '../support/server.js';
import { describeWithServers } from '../support/servers.js';
import {
  finalAnswer,
  openServiceCluster,
  replacedKey,
  sharedAddresses,
  statusOfKey,
  type ServiceCluster,
} from '../support/service-cluster.js';
import type { ServiceProcess } from '../support/service-process.js';

const CUSTOMERS = 10;
/** Number of key replacements per customer. */
const ROUNDS = process.env.BLAZON_LONG_TESTS === '1' ? 10 : 1;
/** Number of requests with the old key after its replacement is confirmed, for both processes together. */
const TRIES = 100;
/** Number of concurrent callers of each process. They use the old key while it is replaced. */
const CALLERS = 2;
/** Number of requests per process after an operator command has revoked a key or session. */
const COMMAND_TRIES = 20;

interface Try {
  readonly base: string;
  readonly sentMs: number;
  readonly status: number;
}

/** Sends requests to these processes repeatedly until `stop` is called. */
function keepTrying(processes: readonly ServiceProcess[], statusAt: (base: string) => Promise<number>) {
  const tries: Try[] = [];
  let isOver = false;
  const callers = processes.flatMap(({ base }) =>
    Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const sentMs = performance.now();
        tries.push({ base, sentMs, status: await finalAnswer(() => statusAt(base)) });
      }
    }),
  );
  return {
    accepted: () =>
      eventually(
        () => processes.every((each) => tries.some(({ base, status }) => base === each.base && status === 200)),
        'accepted requests',
      ),
    async stop(afterMs: number): Promise<readonly number[]> {
      isOver = true;
      await Promise.all(callers);
      return tries.filter(({ sentMs }) => sentMs > afterMs).map(({ status }) => status);
    },
  };
}

describeWithServers('a revocation at two processes', ['mongod', 'redis-server'], () => {
  let cluster: ServiceCluster;
  before(async () => {
    cluster = await openServiceCluster(await sharedAddresses());
  });
  after(() => cluster.close());

  const both = async <Result>(times: number, act: (base: string) => Promise<Result>): Promise<Result[]> => {
    const { processes } = cluster;
    return Promise.all(
      Array.from({ length: times }, () => processes)
        .flat()
        .map(({ base }) => finalAnswer(() => act(base))),
    );
  };

  async function regenerateUnderLoad({ accessToken }: Customer, old: string, round: number): Promise<string> {
    const load = keepTrying(cluster.processes, (base) => statusOfKey(base, old));
    await load.accepted();
    const apiKey = await replacedKey(cluster.processes[round % 2]!.base, accessToken);
    const answeredMs = performance.now();
    const statuses = await both(TRIES / 2, (base) => statusOfKey(base, old));
    const after = [...(await load.stop(answeredMs)), ...statuses];
    expect(after.filter((one) => one !== 401)).to.deep.equal([]);
    expect(await both(2, (base) => statusOfKey(base, apiKey))).to.deep.equal([200, 200, 200, 200]);
    return apiKey;
  }

  it('rejects an old key after the response to a regeneration', async () => {
    const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => cluster.customer()));
    for (const [index, customer] of customers.entries()) {
      let { apiKey } = customer;
      for (let round = 0; round < ROUNDS; round++) apiKey = await regenerateUnderLoad(customer, apiKey, index + round);
    }
  });

  const statusOfPublishable = async (base: string, key: string): Promise<number> => {
    const response = await fetch(`${base}/v1/svg/acme?key=${key}`);
    await response.arrayBuffer();
    return response.status;
  };

  it('rejects publishable keys after the response to a DELETE', async () => {
    for (let round = 0; round < CUSTOMERS * ROUNDS; round++) {
      const { accessToken: bearer } = await cluster.customer();
      const [here, there] = [cluster.processes[round % 2]!, cluster.processes[(round + 1) % 2]!];
      const made = await ask(here, '/auth/publishable-keys', { bearer, body: { name: 'Website' }, headers: from() });
      expect(made.status, made.text).to.equal(201);
      const { id, key } = (made.body as { publishableKey: { id: string; key: string } }).publishableKey;
      const load = keepTrying(cluster.processes, (base) => statusOfPublishable(base, key));
      await load.accepted();
      const path = `/auth/publishable-keys/${id}`;
      expect((await ask(there, path, { method: 'DELETE', bearer, headers: from() })).status).to.equal(204);
      const answeredMs = performance.now();
      const statuses = await both(TRIES / 2, (base) => statusOfPublishable(base, key));
      const late = await load.stop(answeredMs);
      expect([...late, ...statuses].filter((status) => status !== 401)).to.deep.equal([]);
    }
  });

  const statusOfBearer = async (base: string, bearer: string) =>
    (await ask({ base }, '/auth/me', { method: 'GET', bearer })).status;

  it('rejects sessions after the response to logout-all', async () => {
    for (const at of [0, 1] as const) {
      const { accessToken } = await cluster.customer();
      expect(await both(2, (base) => statusOfBearer(base, accessToken))).to.deep.equal([200, 200, 200, 200]);
      const { status, text } = await ask(cluster.processes[at], '/auth/logout-all', {
        bearer: accessToken,
        body: { currentPassword: PASSWORD },
        headers: from(),
      });
      expect(status, text).to.equal(200);
      const statuses = await both(COMMAND_TRIES, (base) => statusOfBearer(base, accessToken));
      expect(new Set(statuses)).to.deep.equal(new Set([401]));
    }
  });

  it("rejects everything that the operator's commands revoke", async () => {
    const { id, apiKey, accessToken } = await cluster.customer('free');
    const limitOf = async (base: string) => {
      const response = await fetch(`${base}/v1/png/acme`, { headers: { 'X-API-Key': apiKey } });
      await response.arrayBuffer();
      return /;q=(\d+);/.exec(response.headers.get('ratelimit-policy') ?? '')?.[1] ?? response.status;
    };
    const run = async (...words: readonly string[]) => {
      const { status, stderr } = await runCli('account', words, { ...cluster.variables });
      expect(status, stderr).to.equal(0);
    };
    const statuses = async (act: (base: string) => Promise<number | string>) => [
      ...new Set(await both(COMMAND_TRIES, act)),
    ];
    const key = (base: string) => statusOfKey(base, apiKey);
    const bearer = (base: string) => statusOfBearer(base, accessToken);

    // Five requests per process stay below the burst limit of the tier `free`, 50 per second.
    expect([...new Set(await both(5, limitOf))]).to.deep.equal(['500']);
    await run('set-tier', id, 'enterprise');
    expect(await statuses(limitOf)).to.deep.equal(['1000000']);
    expect(await statuses(key)).to.deep.equal([200]);
    await run('suspend', id);
    expect(await statuses(key)).to.deep.equal([403]);
    expect(await statuses(bearer)).to.deep.equal([403]);
    await run('resume', id);
    expect(await statuses(key)).to.deep.equal([200]);
    await run('revoke-key', id);
    expect(await statuses(key)).to.deep.equal([401]);
    expect(await statuses(bearer)).to.deep.equal([200]);
    await run('logout-all', id);
    expect(await statuses(bearer)).to.deep.equal([401]);
  });
});
