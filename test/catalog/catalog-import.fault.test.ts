// Imports in separate processes that are killed at random moments, while other processes read and write.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { embeddedCatalog } from '../../src/catalog/stores.embedded.js';
import { migrate } from '../../src/platform/stores/sqlite/schema.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import type { Database } from '../../src/platform/stores/sqlite/guarded-database.js';
import type { Slug } from '../../src/catalog/entry.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import { openCatalog } from '../../src/catalog/catalog.js';
import { temporaryDir } from '../support/temporary.js';
import { repeated } from '../support/extent.js';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const ICONS = 150;

/** Writes icons that all have this width. If two imports were mixed, the catalog would contain two widths. */
function writeIcons(folder: string, width: number): void {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < ICONS; index += 1) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 24"><path d="M0 0h${4 + (index % 9)}v${4 + index / 50}z"/></svg>`;
    writeFileSync(join(folder, `icon-${index}.svg`), svg);
  }
}

function startImport(dataDir: string, folder: string): ChildProcess {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  return spawn(process.execPath, [CLI, 'catalog', 'import', '--folder', folder, '--prefix', 'test'], {
    env,
    stdio: 'ignore',
  });
}

async function widths(store: CatalogStore): Promise<{ readonly count: number; readonly widths: readonly number[] }> {
  const found = new Set<number>();
  let count = 0;
  for await (const { variants } of store.entries()) {
    count += 1;
    found.add(variants[0].width);
    if ((await store.drawing(variants[0].etag)) === undefined) throw new Error('an entry without its drawing');
  }
  return { count, widths: [...found] };
}

const rows = (db: Database, kind: string): number =>
  (db.prepare("SELECT count(*) AS n FROM catalogRows WHERE id GLOB ? || '/*'").get(kind) as { n: number }).n;

describe('an import in another process', () => {
  /** Waits until the import has inserted rows of this kind, or has ended. */
  async function untilWritten(child: ChildProcess, kind: string): Promise<void> {
    // The number of rows falls while the rows of earlier imports are deleted. Then it rises.
    let least = Infinity;
    while (child.exitCode === null) {
      const n = rows(db, kind);
      if (n > least) return;
      least = Math.min(least, n);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  const { path: root, remove } = temporaryDir();
  const dataDir = join(root, 'data');
  let db: Database;
  let store: CatalogStore;

  before(async () => {
    db = openDatabase(dataDir);
    migrate(db);
    store = embeddedCatalog(db, Date.now);
    for (const width of [20, 30]) writeIcons(join(root, `w${width}`), width);
    const [code] = (await once(startImport(dataDir, join(root, 'w20')), 'exit')) as [number];
    expect(code).to.equal(0);
  });
  after(() => {
    db.close();
    remove();
  });

  it('leaves one complete catalog when it is killed at any moment, and can be run again', async () => {
    const kinds = ['drawing', 'candidate', 'entry', 'entry', 'candidate', 'entry'];
    for (const [round, kind] of kinds.slice(0, repeated(2, 6)).entries()) {
      // On a busy machine, the import may end before it is killed. In this case, the loop repeats the import.
      for (let isCut = false; !isCut;) {
        const child = startImport(dataDir, join(root, round % 2 === 0 ? 'w30' : 'w20'));
        const ended = once(child, 'exit');
        await untilWritten(child, kind);
        await new Promise((resolve) => setTimeout(resolve, 7 * (round % 3)));
        isCut = child.kill('SIGKILL');
        await ended;
      }
      const found = await widths(store);
      expect(found.count).to.equal(ICONS);
      expect(found.widths).to.have.length(1);
    }
    const [code] = (await once(startImport(dataDir, join(root, 'w30')), 'exit')) as [number];
    expect(code).to.equal(0);
    expect(await widths(store)).to.deep.equal({ count: ICONS, widths: [30] });
    // The database contains only rows of the current and the previous version of the catalog. The rows of killed
    // imports are deleted.
    expect(rows(db, 'entry')).to.equal(2 * ICONS);
    expect(rows(db, 'candidate')).to.equal(2 * ICONS);
    expect(rows(db, 'drawing')).to.be.at.most(2 * ICONS);
  });

  it('is published to a running service that writes between its transactions', async () => {
    const catalog = await openCatalog({ store, bounds: { entryBytes: 2 ** 20, drawingChars: 2 ** 20 }, pollMs: 20 });
    const slug = 'test-icon-1' as Slug;
    const widthNow = async () => {
      const found = await catalog.find(slug);
      return found.kind === 'entry' ? found.entry.variants[0].width : 0;
    };
    expect(await widthNow()).to.equal(30);
    // Adds two listeners, because the service has two: the search index and the brand index. Both must be called.
    const listening = [1, 2].map(() => new Promise<void>((resolve) => catalog.onGeneration(resolve)));
    const changed = Promise.all(listening);
    db.exec('CREATE TABLE IF NOT EXISTS other (n INTEGER)');
    const insert = db.prepare('INSERT INTO other VALUES (1)');
    const parts = new Set<string>();
    const child = startImport(dataDir, join(root, 'w20'));
    const ended = once(child, 'exit');
    while (child.exitCode === null) {
      insert.run();
      parts.add(['drawing', 'candidate', 'entry'].map((name) => rows(db, name)).join());
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all([ended, changed]);
    expect(await widthNow()).to.equal(20);
    catalog.close();
    expect(parts.size, 'before, between and after its transactions').to.be.above(2);
  });
});
