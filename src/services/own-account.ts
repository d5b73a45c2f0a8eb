// What customers may know of their own account: all of it but the hashes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../domain/account.js';
import { auditEvents, type AuditEvent } from '../domain/audit.js';
import type { Bucket } from '../domain/plan.js';
import type { UtcDay } from '../domain/quota-day.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { UsageHistory } from '../ports/usage-history.js';
import type { Client } from './client.js';
import type { Caller, SessionView, Sessions } from './sessions.js';

export interface ActivityPage {
  readonly events: readonly AuditEvent[];
  /** For `before`; null on the last page. */
  readonly next: string | null;
}

export interface AccountExport {
  readonly account: Account;
  readonly sessions: readonly SessionView[];
  readonly activity: readonly AuditEvent[];
  readonly usage: readonly { readonly day: UtcDay; readonly bucket: Bucket; readonly used: number }[];
}

export interface OwnAccount {
  /** Newest first. */
  activity(caller: Caller, page: { readonly before?: string; readonly limit: number }): Promise<ActivityPage>;
  /** Is itself put on record. */
  export(caller: Caller, client: Client): Promise<AccountExport>;
}

interface Ports {
  readonly audit: AuditLog;
  readonly usage: UsageHistory;
  readonly sessions: Pick<Sessions, 'list'>;
  /** ms since the epoch */
  readonly now: () => number;
}

const EXPORT_PAGE = 500;

export function ownAccount({ audit, usage, sessions, now }: Ports): OwnAccount {
  async function activity({ account }: Caller, { before, limit }: { readonly before?: string; readonly limit: number }): Promise<ActivityPage> {
    // One more than asked tells whether there is another page.
    const events = await audit.read(account.id, { ...(before !== undefined && { before }), limit: limit + 1 });
    const shown = events.slice(0, limit);
    return { events: shown, next: events.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  return {
    activity,
    async export(caller, client) {
      const { account } = caller;
      await audit.append(auditEvents([{ type: 'sensitive_read' }], { account, by: client.actor, at: new Date(now()) }));
      const all: AuditEvent[] = [];
      for (let before: string | undefined; ; ) {
        const { events, next } = await activity(caller, { ...(before !== undefined && { before }), limit: EXPORT_PAGE });
        all.push(...events);
        if (next === null) break;
        before = next;
        // Nothing of the embedded store waits, so other requests get their turn here.
        await nextTurn();
      }
      return { account, sessions: sessions.list(caller), activity: all, usage: await usage.all(account.id) };
    },
  };
}
