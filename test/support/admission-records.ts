// Admission records (the account data that the quota check needs) in memory. All calls are listed in `calls`.
import type { AccountId } from '../../src/accounts/account.js';
import type { AdmissionRecord } from '../../src/metering/admission-record.js';
import { AppError } from '../../src/platform/errors.js';
import type { AdmissionRecords } from '../../src/metering/admission-records.js';

export interface MemoryAdmissionRecords extends AdmissionRecords {
  readonly calls: string[];
  readonly records: Map<AccountId, AdmissionRecord | null>;
  /** Account → token of the account change that is in progress or has an unknown outcome. */
  readonly marks: Map<AccountId, string>;
  /** Simulates an unavailable store: `begin` rejects, and other calls change nothing. */
  isAway: boolean;
}

export function memoryAdmissionRecords(): MemoryAdmissionRecords {
  let begun = 0;
  const records = new Map<AccountId, AdmissionRecord | null>();
  const marks = new Map<AccountId, string>();
  const calls: string[] = [];
  const self: MemoryAdmissionRecords = {
    calls,
    records,
    marks,
    isAway: false,
    async begin(id) {
      calls.push('begin');
      if (self.isAway) throw new AppError('unavailable');
      begun += 1;
      const token = String(begun);
      records.delete(id);
      marks.set(id, token);
      return token;
    },
    async publish(id, token, record) {
      calls.push('publish');
      if (self.isAway || marks.get(id) !== token) return;
      marks.delete(id);
      records.set(id, record);
    },
    async abandon(id, token) {
      calls.push('abandon');
      if (!self.isAway && marks.get(id) === token) marks.delete(id);
    },
  };
  return self;
}
