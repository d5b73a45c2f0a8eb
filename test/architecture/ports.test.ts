// Every port that keeps state has a contract suite that runs for every family.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Stores } from '../../src/platform/stores/stores.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
type StatePort = Exclude<keyof Stores, 'checks' | 'signingSecret' | 'readIntact' | 'close'>;
/** Suite of each port that keeps state, and the test file that runs it for each family. Types require all ports. */
const SUITES: Readonly<Record<StatePort, readonly [suite: string, ...files: string[]]>> = {
  accounts: ['accountStoreContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  admissions: ['admissionsContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  audit: ['auditLogContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  catalog: ['catalogStoreContract', 'catalog/catalog-store'],
  jobSlots: ['jobSlotsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  // A single process needs none.
  locks: ['locksContract', 'platform/stores/redis'],
  logoReports: ['logoReportsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  missingNames: ['missingNamesContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  ownBrandTexts: ['ownBrandTextsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  paymentEvents: ['paymentEventsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  rateLimits: ['rateLimitsContract', 'platform/stores/embedded', 'platform/stores/redis'],
  resetRequests: ['passwordResetRequestsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  responses: ['responseHistoryContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  usage: ['usageHistoryContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  visitorCounters: ['visitorCountersContract', 'visitor-counters/visitor-counters'],
};

describe('ports', () => {
  for (const [port, [suite, ...files]] of Object.entries(SUITES)) {
    it(`fulfill the contract of ${port} in every family`, () => {
      const isUsed = new RegExp(`import .*${suite}\\b[^]*\\b${suite}\\b`);
      for (const file of files) {
        const text = readFileSync(`${root}test/${file}.test.ts`, 'utf8');
        // Suites of stores above tables are one list.
        const list = text.includes('of RECORD_CONTRACTS')
          ? readFileSync(`${root}test/platform/stores/record-contracts.ts`, 'utf8')
          : '';
        expect(isUsed.test(text) || isUsed.test(list), file).to.equal(true);
      }
    });
  }
});
