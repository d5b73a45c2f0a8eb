// Account data for the account's owner: activity and export; everything but the hashes.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Account, AccountId } from './account.js';
import { auditEvents, type AuditEvent, type AuditTopic } from './audit-event.js';
import { pageIds } from '../own-brands/brand-pages.js';
import { uploadOf } from '../own-brands/edit-brand.js';
import type { OwnBrand } from '../own-brands/own-brand.js';
import { ALL_DAYS } from '../platform/day-range.js';
import { AppError } from '../platform/errors.js';
import type { StoredPaymentEvent } from '../billing/payment-event-store.js';
import type { ResponsesOfDay } from '../metering/response-history.js';
import type { UsageOfDay } from '../metering/usage-history.js';
import type { Client } from './client-info.js';
import type { Caller, SessionView, Sessions } from './sessions.js';
import type { AccountContext } from './context.js';

export interface ActivityPage {
  readonly events: readonly AuditEvent[];
  /** For `before`; null on the last page. */
  readonly next: string | null;
}

/** First the account, then its activity, newest first, page by page, then its own brands with the drawings that were put. */
export type ExportPart =
  | {
      readonly kind: 'account';
      readonly account: Account;
      readonly sessions: readonly SessionView[];
      readonly paymentEvents: readonly StoredPaymentEvent[];
      readonly usage: readonly UsageOfDay[];
      readonly responses: readonly ResponsesOfDay[];
    }
  | { readonly kind: 'activity'; readonly events: readonly AuditEvent[] }
  | { readonly kind: 'brand'; readonly brand: OwnBrand; readonly drawings: Readonly<Record<string, string>> };

type Ports = Pick<AccountContext, 'audit' | 'usage' | 'paymentEvents' | 'responses' | 'ownBrandTexts' | 'now'> & {
  readonly sessions: Pick<Sessions, 'list'>;
};

/** Events; some 60 KB of JSON, and a millisecond or two of the event loop. */
export const EXPORT_PAGE = 200;
const EXPORT_RETRY_SECONDS = 10;

export type AccountData = ReturnType<typeof createAccountData>;

export function createAccountData(ports: Ports) {
  const { audit, now } = ports;
  const exporting = new Set<AccountId>();

  async function* exported(caller: Caller): AsyncGenerator<ExportPart, void> {
    try {
      yield* exportedParts(ports, caller);
    } finally {
      exporting.delete(caller.account.id);
    }
  }

  return {
    /** Newest first. */
    activity: ({ account }: Caller, page: Page): Promise<ActivityPage> => readActivity(ports, account.id, page),

    /**
     * Is itself recorded. Each page is read when it is requested. While one export is neither read to its end nor
     * returned, another of the account throws AppError `rate_limited`.
     */
    async export(caller: Caller, client: Client): Promise<AsyncGenerator<ExportPart, void>> {
      const { account } = caller;
      if (exporting.has(account.id))
        throw new AppError('rate_limited', 'Another export of this account is not finished yet.', {
          retryAfterSeconds: EXPORT_RETRY_SECONDS,
        });
      exporting.add(account.id);
      try {
        await audit.append(
          auditEvents([{ type: 'sensitive_read' }], { account, by: client.actor, at: new Date(now()) }),
        );
      } catch (error) {
        exporting.delete(account.id);
        throw error;
      }
      return exported(caller);
    },
  };
}

interface Page {
  readonly before?: string | undefined;
  readonly limit: number;
  /** Undefined: all. */
  readonly topic?: AuditTopic | undefined;
}

async function readActivity(
  { audit }: Pick<Ports, 'audit'>,
  id: AccountId,
  { before, limit, topic }: Page,
): Promise<ActivityPage> {
  // One more than requested shows whether there is another page.
  const events = await audit.read(id, {
    ...{ ...(before !== undefined && { before }), ...(topic !== undefined && { topic }) },
    limit: limit + 1,
  });
  const shown = events.slice(0, limit);
  return { events: shown, next: events.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

async function* exportedParts(ports: Ports, caller: Caller): AsyncGenerator<ExportPart, void> {
  const { usage, responses, paymentEvents, sessions } = ports;
  const { id, billing } = caller.account;
  yield {
    kind: 'account',
    account: caller.account,
    sessions: sessions.list(caller),
    paymentEvents: billing ? await paymentEvents.latest({ customerId: billing.customerId, limit: EXPORT_PAGE }) : [],
    usage: await usage.range(id, ALL_DAYS),
    responses: await responses.range(id, ALL_DAYS),
  };
  for (let before: string | undefined; ;) {
    const { events, next } = await readActivity(ports, id, { before, limit: EXPORT_PAGE });
    yield { kind: 'activity', events };
    if (next === null) break;
    before = next;
    // The embedded store never waits, so other requests run here.
    await nextTick();
  }
  yield* exportedBrands(ports, caller.account);
}

/** Changes that are made meanwhile may be left out. */
async function* exportedBrands(
  { ownBrandTexts }: Pick<Ports, 'ownBrandTexts'>,
  { id, ownBrands }: Account,
): AsyncGenerator<ExportPart, void> {
  for (const page of pageIds(ownBrands?.pages ?? '')) {
    const text = (await ownBrandTexts.get(id, [page])).get(page);
    for (const brand of text === undefined ? [] : (JSON.parse(text) as readonly OwnBrand[])) {
      const put = brand.variants.filter(({ name }) => uploadOf(brand, name));
      const texts = await ownBrandTexts.get(
        id,
        put.map(({ etag }) => etag),
      );
      const drawings = put.map(({ name, etag }) => [name, texts.get(etag) ?? ''] as const);
      yield { kind: 'brand', brand, drawings: Object.fromEntries(drawings) };
      await nextTick();
    }
  }
}
