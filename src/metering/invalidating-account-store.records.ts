// Account store that invalidates the admission records in Redis at each change (ADR 12).
import { isDeepStrictEqual } from 'node:util';
import type { Account, AccountId } from '../accounts/account.js';
import { admissionRecordOf, type AdmissionRecord } from './admission-record.js';
import { isCode } from '../platform/errors.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { AdmissionRecords } from './admission-records.js';

/**
 * Wraps the store. Each write calls `begin` and `publish` of `records`. A save does not call them if its parameter
 * `from` (the previous account) shows that all fields of the admission record are unchanged.
 */
export function invalidatingAccountStore(accounts: AccountStore, records: AdmissionRecords): AccountStore {
  /**
   * Calls `begin`, the write, and then `publish`. If `recordOf` returns undefined, nothing was written, and `abandon`
   * is called instead of `publish`. If the outcome of the write is unknown, neither is called, because the write may
   * still succeed.
   */
  async function announced<Outcome>(
    id: AccountId,
    write: () => Promise<Outcome>,
    recordOf: (outcome: Outcome) => AdmissionRecord | null | undefined,
  ): Promise<Outcome> {
    const token = await records.begin(id);
    let outcome: Outcome;
    try {
      outcome = await write();
    } catch (error) {
      if (!isCode(error, 'unavailable')) await records.abandon(id, token);
      throw error;
    }
    const record = recordOf(outcome);
    await (record === undefined ? records.abandon(id, token) : records.publish(id, token, record));
    return outcome;
  }

  return {
    ...accounts,

    insert(account, events) {
      const insert = () => accounts.insert(account, events);
      return announced(account.id, insert, (outcome) =>
        outcome === 'inserted' ? admissionsSeeing(account) : undefined,
      );
    },

    save(account, events, from) {
      const save = () => accounts.save(account, events, from);
      if (from && isDeepStrictEqual(admissionsSeeing({ ...from, version: account.version }), admissionsSeeing(account)))
        return save();
      return announced(account.id, save, (isSaved) => (isSaved ? admissionsSeeing(account) : undefined));
    },

    async remove(id) {
      if ((await accounts.find(id))?.deleting !== true) return;
      await announced(
        id,
        () => accounts.remove(id),
        () => null,
      );
    },
  };
}

function admissionsSeeing(account: Account): AdmissionRecord | null {
  return account.deleting ? null : admissionRecordOf(account);
}
