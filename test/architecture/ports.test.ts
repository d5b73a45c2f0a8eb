// Every port that keeps state has contract tests, and a test file runs them for every family of stores.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Stores } from '../../src/platform/stores/stores.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
type StatePort = Exclude<keyof Stores, 'checks' | 'signingSecret' | 'readIntact' | 'close'>;
/** Port → its contract tests, and the test files that run them for each family. */
const SUITES: Readonly<Record<StatePort, readonly [suite: string, ...files: string[]]>> = {
  accounts: ['accountStoreContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  admissions: ['admissionsContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  audit: ['auditLogContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  catalog: ['catalogStoreContract', 'catalog/catalog-store'],
  jobSlots: ['jobSlotsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  // The embedded family needs no locks, because it has only one process.
  locks: ['locksContract', 'platform/stores/redis'],
  logoReports: ['logoReportsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  missingNames: ['missingNamesContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  ownBrandTexts: ['ownBrandTextsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  paymentEvents: ['paymentEventsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  rateLimits: ['rateLimitsContract', 'platform/stores/embedded', 'platform/stores/redis'],
  resetRequests: ['passwordResetRequestsContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  responses: ['responseHistoryContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  siteIconStore: ['siteIconStoreContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
  usage: ['usageHistoryContract', 'platform/stores/embedded', 'platform/stores/cluster'],
  visitorCounters: ['visitorCountersContract', 'visitor-counters/visitor-counters'],
  webhookDeliveries: ['webhookDeliveriesContract', 'platform/stores/embedded', 'platform/stores/mongodb'],
};

describe('ports', () => {
  for (const [port, [suite, ...files]] of Object.entries(SUITES)) {
    it(`fulfill the contract of ${port} in every family`, () => {
      const isUsed = new RegExp(`import .*${suite}\\b[^]*\\b${suite}\\b`);
      for (const file of files) {
        const text = readFileSync(`${root}test/${file}.test.ts`, 'utf8');
        // Test files that run RECORD_CONTRACTS import the contract tests from record-contracts.ts.
        const list = text.includes('of RECORD_CONTRACTS')
          ? readFileSync(`${root}test/platform/stores/record-contracts.ts`, 'utf8')
          : '';
        expect(isUsed.test(text) || isUsed.test(list), file).to.equal(true);
      }
    });
  }
});
