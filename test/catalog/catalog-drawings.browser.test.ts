// Compares the imported catalog's drawings with their source files. Chromium renders both.
import { cpSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compareCatalog } from '../../scripts/drawings/compare-catalog.js';
import { openCatalogTools } from '../../src/catalog/catalog-tools.js';
import { chromiumOptions, NO_CHROMIUM } from '../../scripts/chromium.js';
import { catalogFolder } from '../support/sample-catalog.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const SAMPLE = 500;
/** Maximum share of drawings that may differ visibly from their source. */
const MAX_SHARE = 0.002;
const LISTED = readFileSync(new URL('../../../docs/catalog-quality.md', import.meta.url), 'utf8');

describe('drawings of the catalog', () => {
  before(function () {
    if (chromiumOptions() !== undefined) return;
    if (process.env.CI === 'true') throw new Error(NO_CHROMIUM);
    this.skip();
  });

  it(`look like their sources, except ${MAX_SHARE * 100} % of a sample of ${SAMPLE}, which the documentation lists`, async () => {
    const { path, remove } = temporaryDir();
    cpSync(await catalogFolder('whole'), path, { recursive: true });
    const tools = await openCatalogTools(embeddedIn(path));
    try {
      const cache = join(tmpdir(), 'blazon-drawing-references');
      const { compared, differing, outdated } = await compareCatalog(tools.store, { cache, size: SAMPLE });
      const names = differing.map(({ name }) => name);
      expect([compared, outdated]).to.deep.equal([SAMPLE, []]);
      expect(names.length, names.join()).to.be.at.most(SAMPLE * MAX_SHARE);
      expect(names.filter((name) => !LISTED.includes(`\`${name}\``))).to.deep.equal([]);
    } finally {
      await tools.close();
      remove();
    }
  });
});
