// Activity and data export for the account's owner. The export contains all data of the account, except hashes of
// passwords and keys.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Account, AccountId } from './account.js';
import { auditEvents, type AuditEvent, type AuditTopic } from './audit-event.js';
import { AppError } from '../platform/errors.js';
import type { Client } from './client-info.js';
import type { ExportField } from './export-field.js';
import type { Stores } from '../platform/stores/stores.js';
import type { Caller, SessionView, Sessions } from './sessions.js';

export interface ActivityPage {
  readonly events: readonly AuditEvent[];
  /** Value of the parameter `before` that requests the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * Part of an export. The parts have this order: the account, its activity (newest first, page by page), then the fields
 * of other features.
 */
export type ExportPart =
  | { readonly kind: 'account'; readonly account: Account; readonly sessions: readonly SessionView[] }
  | { readonly kind: 'activity'; readonly events: readonly AuditEvent[] }
  | { readonly kind: 'value'; readonly name: string; readonly value: unknown }
  /**
   * One page of a list that another feature adds to the export. The first page of each list is empty, so that the
   * export contains the list even if it has no items.
   */
  | { readonly kind: 'items'; readonly name: string; readonly items: readonly unknown[] };

type Ports = Stores & { readonly now: () => number; readonly sessions: Pick<Sessions, 'list'> };

/** Events per page of the export. A page is about 60 KB of JSON and blocks the event loop for 1 to 2 ms. */
export const EXPORT_PAGE = 200;
const EXPORT_RETRY_SECONDS = 10;

export type AccountData = ReturnType<typeof createAccountData>;

export function createAccountData(ports: Ports) {
  const { audit, now } = ports;
  const exporting = new Set<AccountId>();

  async function* exported(caller: Caller, fields: readonly ExportField[]): AsyncGenerator<ExportPart, void> {
    try {
      yield* exportedParts(ports, caller, fields);
    } finally {
      exporting.delete(caller.account.id);
    }
  }

  return {
    activity: ({ account }: Caller, page: Page): Promise<ActivityPage> => readActivity(ports, account.id, page),

    /**
     * Exports the account, and adds an audit event about the export. Pages are read from the store only when the
     * consumer requests them. Until the returned iterator ends, another export of this account throws AppError
     * `rate_limited`.
     */
    async export(
      caller: Caller,
      client: Client,
      fields: readonly ExportField[],
    ): Promise<AsyncGenerator<ExportPart, void>> {
      const { account } = caller;
      if (exporting.has(account.id))
        throw new AppError('rate_limited', 'Another export of this account is still running.', {
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
      return exported(caller, fields);
    },
  };
}

interface Page {
  readonly before?: string | undefined;
  readonly limit: number;
  /** Topic of the returned events; undefined means all topics. */
  readonly topic?: AuditTopic | undefined;
}

async function readActivity(
  { audit }: Pick<Ports, 'audit'>,
  id: AccountId,
  { before, limit, topic }: Page,
): Promise<ActivityPage> {
  // Reads one event more than requested, to find out whether there is another page.
  const events = await audit.read(id, {
    ...{ ...(before !== undefined && { before }), ...(topic !== undefined && { topic }) },
    limit: limit + 1,
  });
  const shown = events.slice(0, limit);
  return { events: shown, next: events.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

async function* exportedParts(
  ports: Ports,
  caller: Caller,
  fields: readonly ExportField[],
): AsyncGenerator<ExportPart, void> {
  const { account } = caller;
  yield { kind: 'account', account, sessions: ports.sessions.list(caller) };
  for (let before: string | undefined; ;) {
    const { events, next } = await readActivity(ports, account.id, { before, limit: EXPORT_PAGE });
    yield { kind: 'activity', events };
    if (next === null) break;
    before = next;
    // Lets other requests run, because reads of the embedded store are synchronous and never yield to the event loop.
    await nextTick();
  }
  for (const field of fields) {
    const { name } = field;
    if ('value' in field) yield { kind: 'value', name, value: await field.value(account, ports) };
    else {
      yield { kind: 'items', name, items: [] };
      for await (const items of field.pages(account, ports)) yield { kind: 'items', name, items };
    }
  }
}
