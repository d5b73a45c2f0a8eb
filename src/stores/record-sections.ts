// Sections of all tables of records, the same in every family.
import type { Section } from '../ports/sections.js';
import type { RecordSchema, TableDefinition, Tables } from '../ports/tables.js';
import type { RecordOf } from '../domain/stored-record.js';
import { ACCOUNTS } from './account-store.js';
import { AUDIT } from './audit-log.js';
import { JOB_RUNS } from './job-slots.js';
import { MISSING_NAMES } from './missing-names.js';
import { OWN_BRAND_TEXTS, TEXTS_AT_ONCE } from './own-brand-texts.js';
import { RESET_REQUESTS } from './password-reset-requests.js';
import { PAYMENT_EVENTS } from './payment-events.js';
import { RESPONSES } from './response-history.js';

export function recordSections(table: Tables): readonly Section[] {
  const section = sectionsOf(table);
  return [
    section('accounts', ACCOUNTS),
    section('security events', AUDIT),
    section('payment events', PAYMENT_EVENTS),
    section('password reset requests', RESET_REQUESTS),
    section('texts of own brands', OWN_BRAND_TEXTS, TEXTS_AT_ONCE),
    section('runs of jobs', JOB_RUNS),
    section('days of responses', RESPONSES),
    section('days of missing names', MISSING_NAMES),
  ];
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
