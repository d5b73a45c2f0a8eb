// Ports: a contract suite each, or one implementation for every family.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Stores } from '../../src/compose/stores.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const names = (folder: string, ending: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => basename(file, ending));

/** `stores.ts` is the list of them. */
const ports = () => names('src/ports', '.ts').filter((name) => name !== 'stores');

/** One implementation, so its promise is tested once: there. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'admission-records': 'contract/redis',
  'catalog-rows': 'contract/catalog-store',
  'counter-ledger': 'contract/visitor-counters',
  'usage-ledger': 'contract/mongodb',
  'catalog-sources': 'unit/adapters/icon-sources/catalog-sources',
  mailer: 'fault/mail',
  metrics: 'http/metrics',
  payments: 'unit/adapters/stripe/payments',
  'password-hasher': 'unit/adapters/workers/password-hasher',
  'picture-store': 'unit/adapters/files/picture-store',
  rasterizer: 'worker/rasterizer',
  sanitizer: 'worker/sanitize',
  sections: 'cli/backup',
};

type StatePort = Exclude<keyof Stores, 'checks' | 'signingSecret' | 'readIntact' | 'close'>;
/** The suite of each port that keeps state, and the test file that runs it for each family. A port without is no build. */
const SUITES: Readonly<Record<StatePort, readonly [suite: string, ...files: string[]]>> = {
  accounts: ['accountStoreContract', 'embedded', 'cluster'],
  admissions: ['admissionsContract', 'embedded', 'cluster'],
  audit: ['auditLogContract', 'embedded', 'mongodb'],
  catalog: ['catalogStoreContract', 'catalog-store', 'catalog-store'],
  jobSlots: ['jobSlotsContract', 'embedded', 'mongodb'],
  // One process needs none.
  locks: ['locksContract', 'redis'],
  missingNames: ['missingNamesContract', 'embedded', 'mongodb'],
  ownBrandTexts: ['ownBrandTextsContract', 'embedded', 'mongodb'],
  paymentEvents: ['paymentEventsContract', 'embedded', 'mongodb'],
  rateLimits: ['rateLimitsContract', 'embedded', 'redis'],
  resetRequests: ['passwordResetRequestsContract', 'embedded', 'mongodb'],
  responses: ['responseHistoryContract', 'embedded', 'mongodb'],
  usage: ['usageHistoryContract', 'embedded', 'cluster'],
  visitorCounters: ['visitorCountersContract', 'visitor-counters', 'visitor-counters'],
};

describe('ports', () => {
  for (const [port, [suite, ...files]] of Object.entries(SUITES)) {
    it(`of ${port} keep their contract in every family`, () => {
      const isUsed = new RegExp(`import .*${suite}\\b[^]*\\b${suite}\\b`);
      for (const file of files) {
        const text = readFileSync(`${root}test/contract/${file}.test.ts`, 'utf8');
        // Suites of stores above tables are one list.
        const list = text.includes('of RECORD_CONTRACTS')
          ? readFileSync(`${root}test/contract/record-contracts.ts`, 'utf8')
          : '';
        expect(isUsed.test(text) || isUsed.test(list), file).to.equal(true);
      }
    });
  }

  it('have a contract suite each', () => {
    const suites = new Set(names('test/contract', '.contract.ts'));
    const bare = ports().filter((port) => !suites.has(port) && !(port in TESTED_ELSEWHERE));
    expect(bare).to.deep.equal([]);
    for (const file of Object.values(TESTED_ELSEWHERE))
      expect(existsSync(`${root}test/${file}.test.ts`), file).to.equal(true);
  });

  it('are each implemented by a file of the same name', () => {
    const files = new Set([...names('src/adapters', '.ts'), ...names('src/stores', '.ts')]);
    files.add('catalog-sources');
    expect(ports().filter((port) => !files.has(port))).to.deep.equal([]);
  });
});
