// Admissions that write at once what they write apart from the answers: the days of these tests take no time.
import type { QuotaAdmissions } from '../../src/ports/quota-admissions.js';

export function writtenAtOnce<Admissions extends QuotaAdmissions & { flush(): Promise<void> }>(
  admissions: Admissions,
): Admissions {
  return {
    ...admissions,
    async admit(request) {
      const admission = await admissions.admit(request);
      await admissions.flush();
      return admission;
    },
  };
}
