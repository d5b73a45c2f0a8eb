// Announcement of changes to admissions: before such a write, and after its outcome is known.
import { isDeepStrictEqual } from 'node:util';
import { recentEntries } from '../../../domain/recent-entries.js';
import type { Account, AccountId } from '../../../domain/account/account.js';
import { isUnavailable } from '../driver-error.js';
import { admissionRecordOf, type AdmissionRecord, type AdmissionRecords } from './admission-records.js';

/** Accounts of which the last version read is remembered; a change of another one is announced in any case. */
const MAX_REMEMBERED = 10_000;

type Remembered = AdmissionRecord & { readonly deleting: boolean };

export interface AnnouncedChanges {
  /** Remembers what was read or written. */
  remember(account: Account): void;
  /** Runs `write` of this account, announced unless it surely changes nothing that admissions read. */
  write<Outcome>(
    account: Account,
    write: () => Promise<Outcome>,
    isWritten: (outcome: Outcome) => boolean,
  ): Promise<Outcome>;
  /** Runs the removal of an account, announced. */
  remove(id: AccountId, write: () => Promise<void>): Promise<void>;
}

export function createAnnouncedChanges(records: AdmissionRecords): AnnouncedChanges {
  const remembered = recentEntries<AccountId, Remembered>(MAX_REMEMBERED);

  /** Of an unknown outcome the mark stays: the change may still be written. */
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
      if (!isUnavailable(error)) await records.abandon(id, token);
      throw error;
    }
    const record = recordOf(outcome);
    await (record === undefined ? records.abandon(id, token) : records.publish(id, token, record));
    return outcome;
  }

  return {
    remember(account) {
      remembered.set(account.id, rememberedOf(account));
    },

    async write(account, write, isWritten) {
      const before = remembered.get(account.id);
      const after = rememberedOf(account);
      const { deleting, ...record } = after;
      const outcome = isUnchanged(before, after)
        ? await write()
        : await announced(account.id, write, (result) => {
            if (!isWritten(result)) return undefined;
            return deleting ? null : record;
          });
      if (isWritten(outcome)) remembered.set(account.id, after);
      return outcome;
    },

    async remove(id, write) {
      await announced(id, write, () => null);
      remembered.delete(id);
    },
  };
}

function rememberedOf(account: Account): Remembered {
  return { ...admissionRecordOf(account), deleting: account.deleting };
}

function isUnchanged(before: Remembered | undefined, after: Remembered): boolean {
  return (
    before?.version === after.version - 1 &&
    before.keyHash === after.keyHash &&
    before.tier === after.tier &&
    before.suspended === after.suspended &&
    isDeepStrictEqual(before.publishableKeys, after.publishableKeys) &&
    before.deleting === after.deleting
  );
}
