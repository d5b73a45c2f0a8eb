// Contract of WebhookDeliveries.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { newDelivery, replayed, tried, type Delivery } from '../../src/webhooks/delivery.js';
import type { EventKind } from '../../src/webhooks/event.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const AT_MS = Date.UTC(2026, 4, 1, 12);
const at = (ms = 0): Date => new Date(AT_MS + ms);
const ACCOUNT = 'Acc0unt00001' as AccountId;
const ENDPOINT = `${ACCOUNT}Endp0int0001`;
const OTHER = `${ACCOUNT}Endp0int0002`;
const CLAIM = { limit: 10, claimMs: 30_000 };

function delivery(number: number, endpoint = ENDPOINT, kind: EventKind = 'key.regenerated'): Delivery {
  const id = `evt_${String(number).padStart(18, '0')}`;
  return newDelivery({ id: endpoint }, { id, kind, atMs: AT_MS + number, data: { hint: 'abcd' } });
}

const delivered = (one: Delivery): Delivery => ({
  ...tried(one, { at: at(), httpStatus: 204, durationMs: 3, response: '', retryAfterMs: undefined }, 0),
  version: one.version + 1,
});

export const webhookDeliveriesContract = contract<RecordsUnderTest>('WebhookDeliveries', (under) => {
  it('adds a delivery once, and never replaces it', async () => {
    const { webhookDeliveries } = under.stores;
    const first = delivery(1);
    await webhookDeliveries.add([first]);
    await webhookDeliveries.save(delivered(first));
    await (await under.beside()).webhookDeliveries.add([first, delivery(2)]);
    expect(await webhookDeliveries.get(first.id)).to.deep.include({ status: 'delivered', tries: 1 });
    expect((await webhookDeliveries.list(ENDPOINT, { limit: 10 })).map(({ id }) => id)).to.deep.equal([
      delivery(2).id,
      first.id,
    ]);
  });

  it('saves a delivery only if its version is the next one', async () => {
    const { webhookDeliveries } = under.stores;
    const first = delivery(1);
    await webhookDeliveries.add([first]);
    expect(await webhookDeliveries.save(delivered(first))).to.equal(true);
    expect(await webhookDeliveries.save({ ...replayed(first, at()), version: 2 })).to.equal(false);
    expect(await webhookDeliveries.get(first.id)).to.deep.include({ status: 'delivered', version: 2 });
  });

  it('gives a due queue to one of many claims, and again when the claim has ended', async () => {
    const { webhookDeliveries } = under.stores;
    const { webhookDeliveries: beside } = await under.beside();
    await webhookDeliveries.add([delivery(1), delivery(1, OTHER)]);
    const claims = await Promise.all([
      webhookDeliveries.claim(at(1000), CLAIM),
      beside.claim(at(1000), CLAIM),
      webhookDeliveries.claim(at(1000), CLAIM),
    ]);
    expect(
      claims
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).to.deep.equal([ENDPOINT, OTHER]);
    expect(await beside.claim(at(30_999), CLAIM)).to.deep.equal([]);
    expect(await beside.claim(at(31_000), CLAIM)).to.have.length(2);
  });

  it('claims nothing before the first try is due, and the longest due queue first', async () => {
    const { webhookDeliveries } = under.stores;
    await webhookDeliveries.add([delivery(500), delivery(100, OTHER)]);
    expect(await webhookDeliveries.claim(at(99), CLAIM)).to.deep.equal([]);
    const [first, second] = await webhookDeliveries.claim(at(500), CLAIM);
    expect([first?.id, second?.id]).to.deep.equal([OTHER, ENDPOINT]);
  });

  it('returns the pending delivery that is due first', async () => {
    const { webhookDeliveries } = under.stores;
    expect(await webhookDeliveries.first(ENDPOINT)).to.equal(undefined);
    await webhookDeliveries.add([delivery(2), delivery(1), delivery(0, OTHER)]);
    expect((await webhookDeliveries.first(ENDPOINT))?.id).to.equal(delivery(1).id);
    await webhookDeliveries.save(delivered(delivery(1)));
    expect((await webhookDeliveries.first(ENDPOINT))?.id).to.equal(delivery(2).id);
  });

  it('makes a released queue due with its next delivery, and never loses one that was added meanwhile', async () => {
    const { webhookDeliveries } = under.stores;
    await webhookDeliveries.add([delivery(1)]);
    const [claimed] = await webhookDeliveries.claim(at(10), CLAIM);
    await webhookDeliveries.save(delivered(delivery(1)));
    await (await under.beside()).webhookDeliveries.add([delivery(20)]);
    expect(await webhookDeliveries.claim(at(25), CLAIM), 'a claimed queue').to.deep.equal([]);
    await webhookDeliveries.release({ ...claimed!, failingSince: null });
    const [again] = await webhookDeliveries.claim(at(25), CLAIM);
    expect(again?.id).to.equal(ENDPOINT);
    await webhookDeliveries.save(delivered(delivery(20)));
    await webhookDeliveries.release({ ...again!, failingSince: at() });
    expect(await webhookDeliveries.claim(at(1_000_000), CLAIM)).to.deep.equal([]);
  });

  it('ignores the release of a claim that has ended and was given to another process', async () => {
    const { webhookDeliveries } = under.stores;
    await webhookDeliveries.add([delivery(1)]);
    const [late] = await webhookDeliveries.claim(at(10), CLAIM);
    const [holder] = await webhookDeliveries.claim(at(60_000), CLAIM);
    await webhookDeliveries.release({ ...late!, failingSince: at() });
    expect(await webhookDeliveries.claim(at(60_001), CLAIM)).to.deep.equal([]);
    await webhookDeliveries.release({ ...holder!, failingSince: null }, at(90_000));
    expect(await webhookDeliveries.claim(at(89_999), CLAIM)).to.deep.equal([]);
    expect((await webhookDeliveries.claim(at(90_000), CLAIM))[0]?.failingSince).to.equal(null);
  });

  it('remembers since when an endpoint fails until it is told to forget', async () => {
    const { webhookDeliveries } = under.stores;
    await webhookDeliveries.add([delivery(1)]);
    const [claimed] = await webhookDeliveries.claim(at(10), CLAIM);
    await webhookDeliveries.release({ ...claimed!, failingSince: at(5) });
    const [again] = await webhookDeliveries.claim(at(20), CLAIM);
    expect(again?.failingSince).to.deep.equal(at(5));
    await webhookDeliveries.release({ ...again!, failingSince: at(5) });
    await webhookDeliveries.forgetFailures(ENDPOINT);
    expect((await webhookDeliveries.claim(at(30), CLAIM))[0]?.failingSince).to.equal(null);
  });

  it('lists the deliveries of one endpoint by page and by status', async () => {
    const { webhookDeliveries } = under.stores;
    const all = [1, 2, 3].map((number) => delivery(number));
    await webhookDeliveries.add([...all, delivery(9, OTHER)]);
    await webhookDeliveries.save(delivered(all[1]!));
    const page = await webhookDeliveries.list(ENDPOINT, { limit: 2 });
    expect(page.map(({ id }) => id)).to.deep.equal([all[2]!.id, all[1]!.id]);
    const rest = await webhookDeliveries.list(ENDPOINT, { limit: 2, before: all[1]!.id });
    expect(rest.map(({ id }) => id)).to.deep.equal([all[0]!.id]);
  });

  it('removes an endpoint, an account, and old deliveries', async () => {
    const { webhookDeliveries } = under.stores;
    const stranger = 'Acc0unt00002Endp0int0001';
    await webhookDeliveries.add([delivery(1), delivery(1, OTHER), delivery(1, stranger), delivery(5000, stranger)]);
    await webhookDeliveries.remove(ENDPOINT);
    expect(await webhookDeliveries.list(ENDPOINT, { limit: 10 })).to.deep.equal([]);
    expect(await webhookDeliveries.list(OTHER, { limit: 10 })).to.have.length(1);
    await webhookDeliveries.remove(ACCOUNT);
    expect(await webhookDeliveries.list(OTHER, { limit: 10 })).to.deep.equal([]);
    expect((await webhookDeliveries.claim(at(10_000), CLAIM)).map(({ id }) => id)).to.deep.equal([stranger]);
    expect(await webhookDeliveries.prune(at(5000))).to.equal(1);
    expect(await webhookDeliveries.list(stranger, { limit: 10 })).to.have.length(1);
  });
});
