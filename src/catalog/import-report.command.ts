// Summary of an import.
import type { ConsistencyWarning } from './import/consistency.js';
import { DRAWING_REJECTIONS } from '../platform/drawing-rejections.js';
import type { Placement } from './import/source-report.js';
import { commandText } from '../platform/command-text.js';
import { DRAWINGS_PAGE } from './rejection-text.js';
import { addTo } from '../platform/concurrency/lists-by-key.js';
import type { ImportSummary } from './import/import-catalog.js';
import type { SkippedIcon } from './import/import-skips.js';

const ABOUT_DRAWINGS = `For accepted drawings, and how to fix others, see docs/drawings.md, or ${DRAWINGS_PAGE} of the service.`;
const MAX_CHANGES = 12;
const MAX_SKIPS = 20;
const MAX_PLACEMENTS = 200;

interface SummaryOptions {
  readonly everySkip: boolean;
  /**
   * True if the service has started the import. The summary then contains only the counts, the changes, and lines about
   * the operator's files.
   */
  readonly isBrief?: boolean;
}

/** Returns the summary. If `everySkip` is true, it lists every skipped icon. */
export function summaryLines(summary: ImportSummary, { everySkip, isBrief = false }: SummaryOptions): string[] {
  const { imported, merged, entries, variants, redirects, doubts, placements, skipped, tookMs } = summary;
  const named = skipped.filter(({ reason }) => everySkip || (reason !== 'license' && reason !== 'hidden'));
  const own = named.filter(isOwn);
  const lines = [
    `${imported} icons imported in ${(tookMs / 1000).toFixed(1)} s.`,
    `The catalog has ${entries} entries, ${variants} variants and ${redirects} aliases. ${merged} icons were ` +
      'merged into entries with other icons of the same brand.',
    ...(own.length > 0 ? ['Errors in your own files:'] : []),
    ...skipLines(own, everySkip),
    ...placementLines(placements, everySkip),
    ...(isBrief ? [] : doubtLines(doubts, everySkip)),
    ...changeLines(summary, everySkip),
  ];
  if (skipped.length === 0) return lines;
  if (isBrief)
    return [
      ...lines,
      `${skipped.length} icons were skipped. ${commandText('catalog import --dry-run')} shows the reasons.`,
    ];
  const others = named.filter((skip) => !isOwn(skip));
  return [
    ...lines,
    `${skipped.length} skipped:`,
    ...groupSkips(skipped).map((line) => `  ${line}`),
    ...skipLines(others, everySkip),
    ...(everySkip ? [] : ['  Use --verbose to list all of them.']),
    ...(skipped.some(({ reason }) => reason in DRAWING_REJECTIONS) ? [ABOUT_DRAWINGS] : []),
  ];
}

/** Lists the added, changed, renamed and removed entries. Returns no lines if all entries are new. */
function changeLines({ changes, retired, entries }: ImportSummary, all: boolean): string[] {
  const { added, changed, renamed, removed } = changes;
  if (added.length === entries) return [];
  const named = ([what, slugs]: readonly [string, readonly string[]]): string[] => {
    if (slugs.length === 0) return [];
    const shown = all ? slugs : slugs.slice(0, MAX_CHANGES);
    return [`  ${slugs.length} ${what}: ${shown.join(', ')}${shown.length < slugs.length ? ', …' : ''}`];
  };
  const lines = (
    [
      ['added', added],
      ['changed', changed],
      ['renamed', renamed.map(([from, to]) => `${from} to ${to}`)],
      ['removed', removed],
      ['kept although their packages no longer contain them (--prune removes them)', retired],
    ] as const
  ).flatMap(named);
  return lines.length === 0 ? ['No entries have changed.'] : ['Changes:', ...lines];
}

/** Returns true if the icon is from a folder of the operator. The operator can correct only such files. */
function isOwn({ source }: SkippedIcon): boolean {
  return source.startsWith('folder:');
}

function skipLines(skipped: readonly SkippedIcon[], all: boolean): string[] {
  const shown = all ? skipped : skipped.slice(0, MAX_SKIPS);
  const lines = shown.map(({ source, key, reason, message, kept }) => {
    const rest = kept === true ? ' The drawing of the earlier import is kept.' : '';
    return `  ${source} ${key}: ${reason}: ${message}${rest}`;
  });
  return shown.length < skipped.length ? [...lines, `  and ${skipped.length - shown.length} more`] : lines;
}

/** Lists the operator's own files, each with the variant that it became, or with the reason why it is not used. */
function placementLines(placements: readonly Placement[], all: boolean): string[] {
  const shown = all ? placements : placements.slice(0, MAX_PLACEMENTS);
  const lines = shown.map(({ source, drawing, slug, variant, because }) => {
    const use = variant === null ? 'not used' : `${variant} of ${slug}`;
    return `  ${source} ${drawing}: ${use} (${because})`;
  });
  if (lines.length > 0) lines.unshift('Your own files:');
  const left = placements.length - shown.length;
  return left > 0 ? [...lines, `  and ${left} more; --verbose lists all of them.`] : lines;
}

function doubtLines(doubts: readonly ConsistencyWarning[], all: boolean): string[] {
  const kinds = Object.keys(DOUBTS) as ConsistencyWarning['kind'][];
  const found = kinds
    .map((kind) => ({ kind, list: doubts.filter((doubt) => doubt.kind === kind) }))
    .filter(({ list }) => list.length > 0);
  if (found.length === 0) return [];
  if (!all)
    return [
      `Possible problems: ${found.map(({ kind, list }) => `${list.length} ${DOUBTS[kind]}`).join('; ')} (--verbose).`,
    ];
  return [
    'Possible problems (see catalog sheet, catalog show --why):',
    ...found.flatMap(({ kind, list }) => [
      `${String(list.length).padStart(6)}  ${DOUBTS[kind]}`,
      ...list.map(({ slugs: [first = '', ...more], message }) =>
        more.length > 0 ? `          ${message}` : `          ${first}: ${message}`,
      ),
    ]),
  ];
}

const DOUBTS: Readonly<Record<ConsistencyWarning['kind'], string>> = {
  'far-color': 'whose brand color differs from all drawings',
  'unlike-drawings': 'with drawings that look like two brands, or like an old logo',
  'same-drawing': 'drawings shared by several entries',
};

/**
 * Maximum number of licenses per line. Without a limit, lines would be long, because sources write the same license in
 * dozens of ways.
 */
const NAMED_LICENSES = 4;
const LONGEST_LICENSE = 40;

/**
 * Returns one line per reason with its count, the most frequent reason first. Icons with rejected licenses are grouped
 * by the reason that the import policy states for the license.
 */
export function groupSkips(skipped: readonly SkippedIcon[]): readonly string[] {
  const groups = new Map<string, SkippedIcon[]>();
  for (const skip of skipped) {
    const name = skip.license === undefined ? `${skip.reason}, in ${skip.source}` : `license, ${skip.license.because}`;
    addTo(groups, name, skip);
  }
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, skips]) => `${String(skips.length).padStart(6)}  ${name}${nameLicenses(skips)}`);
}

function nameLicenses(skips: readonly SkippedIcon[]): string {
  const counts = new Map<string, number>();
  for (const { license } of skips)
    if (license !== undefined) counts.set(license.type, (counts.get(license.type) ?? 0) + 1);
  if (counts.size === 0) return '';
  const named = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, NAMED_LICENSES)
    .map(([type, count]) => `${shorten(type)} ${count}`);
  const others = counts.size - named.length;
  return ` (${named.join(', ')}${others > 0 ? `, ${others} others` : ''})`;
}

function shorten(license: string): string {
  return license.length > LONGEST_LICENSE ? `${license.slice(0, LONGEST_LICENSE - 1).trimEnd()}…` : license;
}
