// Summary of an import.
import type { Doubt } from '../domain/catalog/consistency.js';
import type { Placement } from '../domain/catalog/placements.js';
import { addTo } from '../domain/collections/lists-by-key.js';
import type { ImportSummary } from '../services/catalog/import-catalog.js';
import type { SkippedIcon } from '../services/catalog/import-skips.js';
import { print } from './command.js';

export function printSummary(summary: ImportSummary, { everySkip }: { everySkip: boolean }): void {
  const { imported, merged, entries, variants, redirects, doubts, placements, skipped, tookMs } = summary;
  print(`${imported} icons imported in ${(tookMs / 1000).toFixed(1)} s.`);
  print(
    `The catalog has ${entries} entries, ${variants} variants and ${redirects} other names; ${merged} icons ` +
      'share an entry with others of their brand.',
  );
  const named = skipped.filter(({ reason }) => everySkip || (reason !== 'license' && reason !== 'hidden'));
  const own = named.filter(isOwn);
  if (own.length > 0) print('Errors in your own files:');
  printSkips(own, everySkip);
  printPlacements(placements, everySkip);
  printDoubts(doubts, everySkip);
  if (skipped.length === 0) return;
  print(`${skipped.length} skipped:`);
  for (const line of groupSkips(skipped)) print(`  ${line}`);
  printSkips(
    named.filter((skip) => !isOwn(skip)),
    everySkip,
  );
  if (!everySkip) print('  --verbose names them all.');
}

const MAX_SKIPS = 20;
const MAX_PLACEMENTS = 200;
const MAX_DOUBTS = 5;

/** Whether the icon is a file of the operator's, who can correct it. */
function isOwn({ source }: SkippedIcon): boolean {
  return source.startsWith('folder:');
}

function printSkips(skipped: readonly SkippedIcon[], all: boolean): void {
  const shown = all ? skipped : skipped.slice(0, MAX_SKIPS);
  for (const { source, key, reason, message } of shown) print(`  ${source} ${key}: ${reason}: ${message}`);
  if (shown.length < skipped.length) print(`  and ${skipped.length - shown.length} more`);
}

/** Every file of the operator's own: what it became, or why it is not used. */
function printPlacements(placements: readonly Placement[], all: boolean): void {
  const shown = all ? placements : placements.slice(0, MAX_PLACEMENTS);
  for (const { source, drawing, slug, variant, because } of shown)
    print(`  ${source} ${drawing}: ${variant === null ? 'not used' : `${variant} of ${slug}`} (${because})`);
  if (shown.length < placements.length)
    print(`  and ${placements.length - shown.length} more; --verbose names them all.`);
}

function printDoubts(doubts: readonly Doubt[], all: boolean): void {
  const kinds = new Map<string, Doubt[]>();
  for (const doubt of doubts) addTo(kinds, doubt.kind, doubt);
  if (doubts.length > 0) print('To look at (catalog sheet, catalog show --why):');
  for (const [kind, list] of kinds) {
    print(`${String(list.length).padStart(6)}  ${DOUBTS[kind as Doubt['kind']]}`);
    for (const { slugs, message } of list.slice(0, all ? list.length : MAX_DOUBTS))
      print(`          ${slugs.length === 1 ? `${slugs[0] ?? ''}: ` : ''}${message}`);
  }
}

const DOUBTS: Readonly<Record<Doubt['kind'], string>> = {
  'far-color': "with a color that is far from every drawing's",
  'unlike-drawings': 'with drawings that look like two brands, or an old logo',
  'same-drawing': 'drawings that several entries have',
};

/** Licenses named per line: sources have dozens of wordings of the same one. */
const NAMED_LICENSES = 4;
const LONGEST_LICENSE = 40;

/**
 * One line per reason, with its count, the most frequent first; skips for a license are grouped by the policy's reason.
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
