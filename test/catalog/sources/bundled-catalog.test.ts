// Bundled catalog: writing, reading, installing, and detection of damaged files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCatalogConfig } from '../../../config/catalog.js';
import { openBundle, writeBundle } from '../../../src/catalog/sources/bundled-catalog.js';
import { embeddedCatalog } from '../../../src/catalog/stores.embedded.js';
import { migrate } from '../../../src/platform/stores/sqlite/schema.js';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import { policyDigest } from '../../../src/catalog/import/import-policy.js';
import type { CatalogStore } from '../../../src/catalog/catalog-store.js';
import type { PreparedSources } from '../../../src/catalog/import/catalog-sources.js';
import { importCatalog } from '../../../src/catalog/import/import-catalog.js';
import { all } from '../../support/catalog-imports.js';
import { candidateOf, sourceOf } from '../../support/entries.js';
import { temporaryDir } from '../../support/temporary.js';

const FACTS = { version: '1.0.0', builtAt: '2026-01-01T00:00:00.000Z' };
const MERGED_AT = '2026-01-01T00:00:00Z';
const policy = { ...readCatalogConfig(), hosts: {} };
const otherPolicy = { ...policy, hosts: { initech: ['initech.example'] } };
const NOTHING_TO_SANITIZE = { sanitize: () => expect.fail('sanitized'), close: async () => undefined };

describe('the bundled catalog', () => {
  const opened: { close(): void }[] = [];
  const folder = temporaryDir();
  const path = join(folder.path, 'catalog');
  after(() => {
    for (const db of opened) db.close();
    folder.remove();
  });

  function emptyStore(name: string): CatalogStore {
    const db = openDatabase(join(folder.path, name));
    opened.push(db);
    migrate(db);
    return embeddedCatalog(db, Date.now);
  }
  const put = (store: CatalogStore, sources: readonly PreparedSources[], own = policy, dryRun = false) =>
    importCatalog({ store, sources, policy: own, sanitizer: NOTHING_TO_SANITIZE, now, dryRun });

  let now = (): Date => new Date(MERGED_AT);
  let store: CatalogStore;
  before(async () => {
    store = emptyStore('from');
    const [acme, hooli] = [candidateOf('acme'), candidateOf('hooli', { title: 'Hooli Inc' })];
    const drawn = [acme, hooli].map(({ key, variants }) => ({ etag: variants[0]!.etag, svg: `<svg>${key}</svg>` }));
    const sources = {
      prepared: ['package:a', 'package:b'].map((id) => sourceOf(id)),
      size: 2,
      drawings: () => [drawn],
      candidates: () => [['package:a', [acme]] as const, ['package:b', [hooli]] as const],
    };
    await put(store, [sources]);
    await writeBundle(path, store, { ...FACTS, merge: { policyDigest: policyDigest(policy), sharing: 7 } });
    now = () => new Date();
  });

  it('has the content of the store', async () => {
    const bundle = openBundle(path);
    expect(bundle.facts).to.deep.equal({ ...FACTS, sources: ['package:a', 'package:b'] });
    const entries = await all(store.entries());
    expect([...bundle.entries()]).to.deep.equal(entries);
    const { etag } = entries[0]!.variants[0];
    expect([...bundle.drawingsOf(new Set([etag]))]).to.deep.equal([[etag, await store.drawing(etag)]]);
  });

  it('is installed as if its sources had been imported, with their release', async () => {
    const other = emptyStore('to');
    const { imported, entries, merged } = await put(other, [openBundle(path).prepared()], otherPolicy);
    expect({ imported, entries, merged }).to.deep.equal({ imported: 2, entries: 2, merged: 0 });
    const undated = async (of: CatalogStore) => (await all(of.entries())).map((entry) => ({ ...entry, updatedAt: '' }));
    expect(await undated(other)).to.deep.equal(await undated(store));
    expect((await other.sources()).map(({ bundle }) => bundle?.version)).to.deep.equal(['1.0.0', '1.0.0']);
  });

  it('is published as merged at build time if nothing was published and the policy is the same', async () => {
    const other = emptyStore('same');
    const dry = await put(other, [openBundle(path).prepared()], policy, true);
    expect([dry.merged, dry.entries, await other.state()]).to.deep.equal([7, 2, undefined]);
    const summary = await put(other, [openBundle(path).prepared()]);
    const { imported, merged, entries, variants, changes } = summary;
    expect({ imported, merged, entries, variants }).to.deep.equal({ imported: 2, merged: 7, entries: 2, variants: 2 });
    expect(changes.added).to.deep.equal(['acme', 'hooli-inc']);
    expect(await all(other.entries())).to.deep.equal(await all(store.entries()));
    expect(await other.redirects()).to.deep.equal(await store.redirects());
    const ids = openBundle(path).facts.sources;
    await importCatalog({
      ...{ store: other, policy, sanitizer: NOTHING_TO_SANITIZE },
      sources: ids.map((removed) => ({ removed })),
    });
    expect((await put(other, [openBundle(path).prepared()])).merged, 'after another catalog').to.equal(0);
    expect((await all(other.entries())).every(({ updatedAt }) => updatedAt > MERGED_AT)).to.equal(true);
  });

  it('provides single sources, without items that the policy forbids', async () => {
    const some = emptyStore('some');
    expect(await put(some, [openBundle(path).prepared(['package:b'])])).to.include({ entries: 1 });
    const forbidden = { ...policy, licenses: { ...policy.licenses, allow: [] } };
    const { entries, skipped } = await put(emptyStore('none'), [openBundle(path).prepared()], forbidden);
    expect([entries, skipped.map(({ reason }) => reason)]).to.deep.equal([0, ['license', 'license']]);
  });

  it('is recognized as damaged before anything changes', async () => {
    for (const name of ['candidates', 'drawings', 'entries', 'redirects']) {
      const file = join(path, `${name}.jsonl.br`);
      const bytes = readFileSync(file);
      writeFileSync(file, Buffer.concat([bytes, Buffer.from('x')]));
      expect(() => openBundle(path).prepared()).to.throw(
        `The bundled catalog in ${path} is damaged (${name}.jsonl.br was modified). Install this release again.`,
      );
      writeFileSync(file, bytes);
    }
    writeFileSync(join(path, 'manifest.json'), '{"format":1');
    expect(() => openBundle(path)).to.throw('is damaged (');
  });
});
