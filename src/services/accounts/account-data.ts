// Account data for the account's owner: activity and export; everything but the hashes.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Account, AccountId } from '../../domain/account/account.js';
import { auditEvents, type AuditEvent } from '../../domain/account/audit-event.js';
import { ALL_DAYS } from '../../domain/metering/day-range.js';
import { AppError } from '../../errors.js';
import type { AuditLog } from '../../ports/audit-log.js';
import type { PaymentEvents, StoredPaymentEvent } from '../../ports/payment-events.js';
import type { ResponseHistory, ResponsesOfDay } from '../../ports/response-history.js';
import type { UsageHistory, UsageOfDay } from '../../ports/usage-history.js';
import type { Client } from './client-info.js';
import type { Caller, SessionView, Sessions } from './sessions.js';

export interface ActivityPage {
  readonly events: readonly AuditEvent[];
  /** For `before`; null on the last page. */
  readonly next: string | null;
}

/** First the account, then its activity, newest first, page by page. */
export type ExportPart =
  | {
      readonly kind: 'account';
      readonly account: Account;
      readonly sessions: readonly SessionView[];
      readonly paymentEvents: readonly StoredPaymentEvent[];
      readonly usage: readonly UsageOfDay[];
      readonly responses: readonly ResponsesOfDay[];
    }
  | { readonly kind: 'activity'; readonly events: readonly AuditEvent[] };

interface Ports {
  readonly audit: AuditLog;
  readonly usage: Pick<UsageHistory, 'range'>;
  readonly paymentEvents: Pick<PaymentEvents, 'latest'>;
  readonly responses: Pick<ResponseHistory, 'range'>;
  readonly sessions: Pick<Sessions, 'list'>;
  /** ms since the epoch */
  readonly now: () => number;
}

export type AccountData = ReturnType<typeof createAccountData>;

/** Events; some 60 KB of JSON, and a millisecond or two of the event loop. */
export const EXPORT_PAGE = 200;
const EXPORT_RETRY_SECONDS = 10;

export function createAccountData({ audit, usage, responses, paymentEvents, sessions, now }: Ports) {
  const exporting = new Set<AccountId>();

  /** Newest first. */
  async function activity(
    { account }: Caller,
    { before, limit }: { readonly before?: string; readonly limit: number },
  ): Promise<ActivityPage> {
    // One more than requested shows whether there is another page.
    const events = await audit.read(account.id, { ...(before !== undefined && { before }), limit: limit + 1 });
    const shown = events.slice(0, limit);
    return { events: shown, next: events.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  async function eventsOf({ billing }: Account): Promise<readonly StoredPaymentEvent[]> {
    return billing ? paymentEvents.latest({ customerId: billing.customerId, limit: EXPORT_PAGE }) : [];
  }

  async function* exported(caller: Caller): AsyncGenerator<ExportPart, void> {
    const { account } = caller;
    try {
      yield {
        kind: 'account',
        account,
        sessions: sessions.list(caller),
        paymentEvents: await eventsOf(account),
        usage: await usage.range(account.id, ALL_DAYS),
        responses: await responses.range(account.id, ALL_DAYS),
      };
      for (let before: string | undefined; ;) {
        const { events, next } = await activity(caller, {
          ...(before !== undefined && { before }),
          limit: EXPORT_PAGE,
        });
        yield { kind: 'activity', events };
        if (next === null) return;
        before = next;
        // The embedded store never waits, so other requests run here.
        await nextTick();
      }
    } finally {
      exporting.delete(account.id);
    }
  }

  return {
    activity,

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
