// The npm package @thesvg/icons as a source. Each icon is a module. The import parses the module for its literals, and
// never executes it.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, type Expression, type Program, type Property, type SpreadElement } from 'acorn';
import { z } from 'zod';
import type { IconSource, SourceItem } from '../import/catalog-sources.js';
import { findPackage, packageSource } from './installed-package.js';

const NAME = '@thesvg/icons';
const NOT_ICONS = new Set(['index.js', 'types.js']);
const PAGE = 'https://thesvg.org/icon/';

const text = z.string().trim();
const icon = z.object({
  slug: text.min(1),
  title: text.min(1),
  hex: text.default(''),
  categories: z.array(text).default([]),
  aliases: z.array(text).default([]),
  variants: z.record(z.string(), z.string()),
  license: text.default(''),
  url: text.default(''),
});

export async function openThesvg(): Promise<IconSource> {
  const { folder, version, notice } = await findPackage(NAME);
  const dist = join(folder, 'dist');
  return packageSource({
    ...{ package: NAME, version, notice, kind: 'brands' },
    listed: (await readdir(dist)).filter((file) => file.endsWith('.js') && !NOT_ICONS.has(file)).sort(),
    keyOf: (file) => file,
    read: (file) => readModule(file, readFileSync(join(dist, file), 'utf8')),
  });
}

/** Parses the source code of a module, and returns its icon. */
export function readModule(file: string, source: string): SourceItem {
  const skipped = (reason: string, message: string): SourceItem => ({ kind: 'skipped', key: file, reason, message });
  let program: Program;
  try {
    program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    return skipped('syntax-error', error instanceof Error ? error.message : 'not JavaScript');
  }
  const parsed = icon.safeParse(exportsOf(program));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return skipped('no-icon', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not an icon'}`);
  }
  const { slug, url, license, variants, hex, ...facts } = parsed.data;
  return {
    kind: 'icon',
    icon: {
      ...facts,
      ...{ key: slug, titleGuessed: false, hex: hex || null, website: url || null, origin: `${PAGE}${slug}` },
      ...{ guidelines: null, license: { type: license || 'none given', url: null } },
      drawings: Object.entries(variants).map(([name, svg]) => ({ name: kebab(name), svg })),
    },
  };
}

function kebab(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Returns the values of all `export const name = literal`, as name → value. */
function exportsOf(program: Program): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declaration.declarations) {
      if (id.type === 'Identifier' && init) found.set(id.name, literal(init));
    }
  }
  return Object.fromEntries(found);
}

/** Returns the value of a literal. Returns undefined for any other expression, because it would have to be executed. */
function literal(node: Expression): unknown {
  if (node.type === 'Literal') return node.value;
  if (node.type === 'TemplateLiteral')
    return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
  if (node.type === 'ArrayExpression') {
    return node.elements.map((element) =>
      element === null || element.type === 'SpreadElement' ? undefined : literal(element),
    );
  }
  return node.type === 'ObjectExpression' ? Object.fromEntries(node.properties.flatMap(literalProperty)) : undefined;
}

function literalProperty(property: Property | SpreadElement): [string, unknown][] {
  if (property.type !== 'Property' || property.computed) return [];
  const { key, value } = property;
  if (key.type === 'Identifier') return [[key.name, literal(value)]];
  return key.type === 'Literal' ? [[String(key.value), literal(value)]] : [];
}
