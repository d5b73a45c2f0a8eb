// Lists packages whose code or drawings are part of the built files. npm does not list them as dependencies, so NOTICE
// and SBOM must name them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { GLYPH_PACKAGES } from './glyph-outlines.js';

/** Packages with drawings that are part of the built files. */
const DRAWN_PACKAGES = [...GLYPH_PACKAGES, '@iconify-json/lucide'];

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      // Ignores a list of licenses, which some old packages have.
      license: z.string().optional().catch(undefined),
      dependencies: z.record(z.string(), z.string()).default({}),
      devDependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string | undefined;
}

/**
 * Returns the packages in the built files: the development dependencies that the dashboard imports, their own
 * dependencies, and the fonts of monograms.
 */
export function shippedPackages(root: string): readonly ShippedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const development = Object.keys(packages['']?.devDependencies ?? {});
  const sources = filesIn(root).map((path) => readFileSync(join(root, path), 'utf8'));
  const imported = development.filter(
    (name) =>
      DRAWN_PACKAGES.includes(name) ||
      sources.some((text) =>
        new RegExp(`(?:from|import|require\\(|@import|url\\() ?['"]${name}(?:/[^'"]*)?['"]`).test(text),
      ),
  );
  const found = new Map<string, ShippedPackage>();
  const open = imported.filter((name) => !name.startsWith('@types/')).map((name) => `node_modules/${name}`);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const facts = packages[key];
    const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (facts === undefined || found.has(key) || name.startsWith('@types/')) continue;
    const { version = '', license = 'see its text' } = facts;
    found.set(key, { name, version, license, text: licenseText(join(root, key)) });
    for (const needed of Object.keys(facts.dependencies)) {
      const nested = `${key}/node_modules/${needed}`;
      open.push(packages[nested] === undefined ? `node_modules/${needed}` : nested);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function filesIn(root: string): readonly string[] {
  return readdirSync(join(root, 'src/dashboard'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path))
    .map((path) => join('src/dashboard', path));
}

function licenseText(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|ofl)[^/]*$/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim();
}
