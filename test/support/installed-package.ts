// Blazon, installed as a package in a project. The test provides the icons of its bundled catalog.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeBundle } from '../../src/catalog/sources/bundle-folder.js';
import { openCatalogTools } from '../../src/catalog/catalog-tools.js';
import { openSvgFolder } from '../../src/catalog/sources/icon-sources.js';
import { ROOT } from './service-process.js';
import { embeddedIn } from './stores.js';

const PARTS = ['dist/config', 'dist/src', 'dist/workers', 'dist/dashboard', 'dist/docs', 'config', 'package.json'];

export interface InstalledPackage {
  /** Folder of the project. */
  readonly folder: string;
  readonly executable: string;
  readonly catalog: string;
  bundle(release: Release): Promise<void>;
  remove(): void;
}

interface Release {
  readonly version: string;
  readonly builtAt: string;
  readonly sources: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function installPackage(): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-installed-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'blazon');
  for (const part of PARTS) {
    mkdirSync(dirname(join(installed, part)), { recursive: true });
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  }
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const catalog = join(installed, 'dist/catalog');
  return {
    ...{ folder, catalog, executable: join(installed, 'dist/src/blazon.js') },
    async bundle({ sources, ...facts }) {
      const work = mkdtempSync(join(folder, 'bundle-'));
      const tools = await openCatalogTools(embeddedIn(join(work, 'data')));
      for (const [name, drawings] of Object.entries(sources)) {
        const icons = join(work, name);
        mkdirSync(icons);
        for (const [slug, svg] of Object.entries(drawings)) writeFileSync(join(icons, `${slug}.svg`), svg);
        const options = { folder: icons, kind: 'brands', prefix: null, title: null, license: 'MIT' } as const;
        await tools.importSources(() => undefined, [await openSvgFolder(options)]);
      }
      await writeBundle(catalog, tools.store, { ...facts, merge: { policyDigest: tools.policyDigest(), sharing: 7 } });
      await tools.close();
      rmSync(work, { recursive: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
