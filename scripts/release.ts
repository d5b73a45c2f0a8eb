// Makes a release. `npm version <version>` runs this script twice. Before the commit, it runs with `--check`: dates the
// section in CHANGELOG.md and writes the derived documents. After the tag, it runs without options: writes the tarball,
// SBOM and checksums into release/.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readCatalogConfig } from '../config/catalog.js';
import { packageVersion } from '../src/platform/package-version.js';
import { datedChangelog } from './changelog.js';
import { shippedPackages } from './shipped-packages.js';

const MAX_TARBALL_BYTES = 30_000_000;
const FOLDER = 'release';
chdir(fileURLToPath(new URL('../../', import.meta.url))); // This file runs in dist/scripts/.
const version = packageVersion();

if (process.argv.includes('--check')) prepare();
else pack();

function prepare(): void {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const dated = datedChangelog(changelog, version, new Date());
  writeFileSync('CHANGELOG.md', dated);
  run('npm', 'run', '--silent', 'docs');
  run('git', 'add', 'CHANGELOG.md', 'docs');
}

function pack(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  run('npm', 'pack', '--pack-destination', FOLDER);
  const tarball = `blazon-${version}.tgz`;
  const { size } = statSync(join(FOLDER, tarball));
  if (size > MAX_TARBALL_BYTES) throw new Error(`${tarball} has ${size} bytes. The limit is ${MAX_TARBALL_BYTES}.`);
  packClient();
  writeFileSync(join(FOLDER, `blazon-${version}.cdx.json`), JSON.stringify(sbom(), null, 2));
  const sums = readdirSync(FOLDER).map((name) => `${hash('sha256', readFileSync(join(FOLDER, name)))}  ${name}\n`);
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
  for (const name of readdirSync(FOLDER)) console.log(join(FOLDER, name));
}

/** Packs the npm package `@blazon/client`: the typed API client for browsers and other programs. */
function packClient(): void {
  const { license, engines, dependencies } = clientManifestSchema.parse(
    JSON.parse(readFileSync('package.json', 'utf8')),
  );
  const folder = join(FOLDER, 'client');
  cpSync('dist/src/client', folder, { recursive: true, filter: (path) => !path.endsWith('.map') });
  cpSync('dist/client', folder, { recursive: true });
  cpSync('LICENSE', join(folder, 'LICENSE'));
  const manifest = {
    name: '@blazon/client',
    version,
    description: 'Typed client of the Blazon API, and the element <blazon-logo>',
    license,
    type: 'module',
    sideEffects: false,
    exports: { types: './index.d.ts', default: './index.js' },
    engines,
    dependencies,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  run('npm', 'pack', folder, '--pack-destination', FOLDER);
  rmSync(folder, { recursive: true });
}

const clientManifestSchema = z.object({
  license: z.string(),
  engines: z.object({ node: z.string() }),
  dependencies: z.object({ 'openapi-fetch': z.string() }),
});

const sbomSchema = z.looseObject({
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      'bom-ref': z.string(),
      properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/**
 * Returns the SBOM of npm (CycloneDX). Omits development packages unless the build contains them. Adds the imported
 * icons.
 */
function sbom(): unknown {
  const all = sbomSchema.parse(JSON.parse(run('npm', 'sbom', '--sbom-format', 'cyclonedx')));
  const shipped = new Set([
    ...shippedPackages('.').map((each) => `${each.name}@${each.version}`),
    ...readCatalogConfig().packages,
  ]);
  const components = all.components.filter(
    ({ name, version: own, properties }) =>
      shipped.has(name) ||
      shipped.has(`${name}@${own}`) ||
      !properties.some((property) => property.name === 'cdx:npm:package:development'),
  );
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref) || !all.components.some((component) => component['bom-ref'] === ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  return { ...all, components, dependencies };
}

/** Runs a program and returns its standard output. Error output goes to the terminal. */
function run(program: string, ...words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 });
}
