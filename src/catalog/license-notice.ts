// Notice of the catalog: the authors of its drawings, and the license texts that must be distributed with the drawings.
import type { Entry, Provenance } from './entry.js';

/** Facts of an imported source that the notice needs. */
export interface NoticedSource extends Provenance {
  readonly author: string | null;
  /** SPDX identifier of the license of the whole source. */
  readonly license: string | null;
  /** Text of the source's license file. */
  readonly text: string | null;
}

export type NoticedEntry = Pick<Entry, 'slug' | 'title' | 'license' | 'source'>;

/**
 * Licenses without a text in the notice: licenses without conditions, and the license of the operator's own drawings.
 */
const UNCONDITIONAL = new Set(['CC0-1.0', '0BSD', 'MIT-0', 'Unlicense', 'LicenseRef-PublicDomain', 'LicenseRef-Own']);

const TRADEMARKS =
  'Logos are trademarks of their owners. The licenses below cover the drawings, and give no right to the trademarks.';

/** Returns the notice. `texts`: SPDX identifier → license text. `entries` must be in the order of the catalog. */
export function catalogNotice(
  sources: readonly NoticedSource[],
  entries: readonly NoticedEntry[],
  texts: ReadonlyMap<string, string>,
): string {
  const byLicense = new Map<string, NoticedEntry[]>();
  for (const entry of entries) {
    const { type } = entry.license;
    if (UNCONDITIONAL.has(type)) continue;
    const group = byLicense.get(type);
    if (group) group.push(entry);
    else byLicense.set(type, [entry]);
  }
  const licenses = [...byLicense].sort(([a], [b]) => (a < b ? -1 : 1));
  const needed = new Set([...byLicense.keys(), ...sources.map(({ license }) => license ?? '')]);
  return [
    ...heading('Drawings of the catalog', '='),
    TRADEMARKS,
    ...sources.flatMap(sourceLines),
    ...licenses.flatMap(([type, group]) => [
      ...heading(`${type}: ${group.length} brands`),
      ...(new Set(group.flatMap(({ license: { url } }) => url ?? [])).size === 1
        ? [group[0]?.license.url ?? '', '']
        : []),
      ...group.map(({ title, slug, source }) => `${title} (${slug})${source === null ? '' : `, from ${source}`}`),
    ]),
    ...[...texts].flatMap(([type, text]) => (needed.has(type) ? [...heading(`Text of ${type}`), text.trimEnd()] : [])),
    '',
  ].join('\n');
}

function sourceLines({ package: name, version, author, license, text }: NoticedSource): string[] {
  const by = author === null ? '' : `, by ${author}`;
  return [
    ...heading(`${name} ${version}${by}`),
    license === null ? 'The collection specifies a license for each drawing.' : `License of the collection: ${license}`,
    ...(text === null || license === null || UNCONDITIONAL.has(license) ? [] : ['', text.trim()]),
  ];
}

function heading(text: string, line = '-'): string[] {
  return ['', text, line.repeat(text.length), ''];
}
