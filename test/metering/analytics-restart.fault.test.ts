// Response counts after the service has stopped or was killed. A normal stop loses none, and a kill loses at most the
// last five seconds.
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import type { ResponsesOfDay } from '../../src/metering/response-history.js';
import { FAMILY, openBackend } from '../support/backend.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { endServices, startService } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

describe(`counted responses, ${FAMILY}`, () => {
  it('are complete after SIGTERM, and lack at most the last seconds after SIGKILL', async () => {
    const { path, remove } = temporaryDir();
    const backend = await openBackend(path, { now: Date.now, catalog: 'sample' });
    const { account, apiKey } = someAccount({ tier: 'internal' });
    await backend.stores.accounts.insert(account);
    const start = () => startService(backend.variables);
    const request = async (base: string, times: number) => {
      for (let count = 0; count < times; count++) {
        const response = await fetch(`${base}/v1/svg/github`, { headers: { 'X-API-Key': apiKey } });
        expect(response.status).to.equal(200);
        await response.arrayBuffer();
      }
    };
    /** Returns the totals of all days, because midnight may pass during the test. */
    const stored = async () => total(await backend.stores.responses.range(account.id, ALL_DAYS));

    const stopped = await start();
    await request(stopped.base, 20);
    stopped.child.kill('SIGTERM');
    expect(await stopped.exit).to.equal(0);
    expect(await stored()).to.deep.equal([20, 20]);

    const killed = await start();
    await request(killed.base, 30);
    await eventually(async () => (await stored())[0] === 50, 'write');
    await request(killed.base, 7);
    await killed.kill();
    const [requests, slugs] = await stored();
    expect(requests).to.be.within(50, 57);
    expect(slugs).to.equal(requests);

    const last = await start();
    const usage = (await (
      await fetch(`${last.base}/v1/analytics/usage`, { headers: { 'X-API-Key': apiKey } })
    ).json()) as { readonly totals: Readonly<Record<string, number>> };
    expect(usage.totals.svg, 'usage loses nothing').to.equal(57);
    await endServices();
    await backend.close();
    remove();
  });
});

/** Returns the number of 2xx responses, and the number of requests with a slug. */
function total(days: readonly ResponsesOfDay[]): [number, number] {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return [
    sum(days.map(({ responses }) => responses['2xx'])),
    sum(days.flatMap(({ slugs }) => slugs.map(({ requests }) => requests))),
  ];
}
