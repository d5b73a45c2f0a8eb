// Sections of all tables of records, the same in every family.
import type { Section, SectionRow } from '../platform/stores/sections.js';
import type { LogEntry, RecordSchema, TableDefinition, Tables } from '../platform/stores/tables.js';
import { readRecord, type RecordOf } from '../platform/stores/stored-record.js';
import { ACCOUNTS } from '../accounts/account-store.records.js';
import { AUDIT } from '../accounts/audit-log.records.js';
import { JOB_RUNS } from '../platform/jobs/job-slots.records.js';
import { MISSING_NAMES } from '../missing-names/missing-name-store.records.js';
import { OWN_BRAND_TEXTS, TEXTS_AT_ONCE } from '../own-brands/own-brand-texts.records.js';
import { RESET_REQUESTS } from '../accounts/password-reset-requests.records.js';
import { PAYMENT_EVENTS } from '../billing/payment-event-store.records.js';
import { RESPONSES } from '../metering/response-history.records.js';

/** `carried`: all entries that were written with an account and are not in the audit log yet. */
export function recordSections(table: Tables, carried?: () => Promise<readonly LogEntry[]>): readonly Section[] {
  const section = sectionsOf(table);
  const events = section('security events', AUDIT);
  return [
    section('accounts', ACCOUNTS),
    carried ? withCarried(events, carried) : events,
    section('payment events', PAYMENT_EVENTS),
    section('password reset requests', RESET_REQUESTS),
    section('texts of own brands', OWN_BRAND_TEXTS, TEXTS_AT_ONCE),
    section('runs of jobs', JOB_RUNS),
    section('days of responses', RESPONSES),
    section('days of missing names', MISSING_NAMES),
  ];
}

/** Events may be moved to the log while it is read: they are in both then, and are returned once. */
function withCarried(events: Section, carried: () => Promise<readonly LogEntry[]>): Section {
  let waiting: readonly SectionRow[] = [];
  return {
    ...events,
    async read(after, limit) {
      // Before the log is read: what is moved between the two reads would be in neither otherwise.
      if (after === '')
        waiting = (await carried()).map((entry) => readRecord(AUDIT.schema, entry, `the event ${entry.id}`));
      const rows = new Map(waiting.filter(({ id }) => id > after).map((row) => [row.id, row]));
      for (const row of await events.read(after, limit)) rows.set(row.id, row);
      return [...rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
    },
  };
}

function sectionsOf(table: Tables) {
  return <Schema extends RecordSchema>(name: string, definition: TableDefinition<Schema>, atOnce?: number): Section => {
    type Stored = RecordOf<Schema> & { readonly id: string };
    const records = table(definition);
    return {
      name,
      table: definition.name,
      ...(atOnce !== undefined && { atOnce }),
      count: () => records.count({}),
      read: (after, limit) => records.find({ where: { id: { gt: after } }, sort: { id: 'ascending' }, limit }),
      async write(rows) {
        const outcome = await records.insert(rows as readonly Stored[]);
        if (outcome !== 'inserted') throw new Error(`two ${name} have the same ${outcome.taken}`);
      },
    };
  };
}
