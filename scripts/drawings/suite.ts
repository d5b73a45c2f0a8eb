// Compares the SVG files in folders with Chromium, and counts right, wrong and rejected files.
import { mkdirSync, readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Command } from 'commander';
import { openBrowserPictures, pictureOf } from './browser-pictures.js';
import { compareFiles, type ComparedFile, type Comparison, type SourceFile, type Verdict } from './compare-files.js';
import { isWithin, type Difference } from './compare-pictures.js';
import { openProductPictures } from './product-pictures.js';
import { writeSheets } from './sheets.js';

interface Options {
  readonly without: readonly string[];
  readonly only?: string;
  readonly cache: string;
  readonly json?: string;
  readonly sheets?: string;
  readonly before?: string;
  readonly rejected?: true;
}

const program = new Command()
  .name('npm run drawing-suite --')
  .description(
    'Compares what the service makes of each .svg and .svgz below the folders with what Chromium shows of the file in an\n' +
      '<img> of 256 px. NAME.chromium.png beside NAME.svg stands for what Chromium shows.',
  )
  .argument('<folders...>')
  .option('--without <names...>', 'skip folders with these names', [])
  .option('--only <text>', 'only files whose path contains this text')
  .option('--cache <folder>', "folder for Chromium's pictures", join(tmpdir(), 'blazon-drawing-references'))
  .option('--json <file>', 'write the result of every file to this JSON file')
  .option('--before <file>', 'list files with another verdict than in this earlier --json file')
  .option('--sheets <folder>', 'write sheets of the wrong files: source, PNG and SVG, on white and on black')
  .option('--rejected', 'also list rejected files')
  .parse();

const folders = program.processedArgs[0] as readonly string[];
const options = program.opts<Options>();
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const files: SourceFile[] = [];
for (const folder of folders) files.push(...(await sourceFiles(folder, options)));
if (files.length === 0) program.error('There is no SVG in these folders.');
const browser = await openBrowserPictures(options.cache);
const product = openProductPictures();
const results: ComparedFile[] = [];
const wrong: Comparison[] = [];
for await (const comparison of compareFiles(files, { browser, product })) {
  const { name, verdict, reason, message, png, svg } = comparison;
  results.push({ name, verdict, reason, message, png, svg });
  if (verdict === 'wrong') wrong.push(comparison);
  if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${files.length}`);
}
await Promise.all([browser.close(), product.close()]);
if (options.json !== undefined) {
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, JSON.stringify(results, null, 1));
}
report();
if (options.sheets !== undefined) print(`\n${await writeSheets(options.sheets, wrong)} sheets in ${options.sheets}`);

async function sourceFiles(folder: string, { without, only = '' }: Options): Promise<readonly SourceFile[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.svgz?$/i.test(path) && path.includes(only))
    .filter((path) => !path.split(/[\\/]/).some((part) => without.includes(part)))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path);
      const reference = file.replace(/\.svgz?$/i, '.chromium.png');
      const known = existsSync(reference) ? await pictureOf(readFileSync(reference)) : undefined;
      return { name: relative(folder, file), bytes: readFileSync(file), ...(known && { reference: known }) };
    }),
  );
}

function report(): void {
  table();
  print('\nWrong (unexplained / mean, per cent):');
  for (const one of wrong) print(`  ${one.name}  ${figures(one)}${one.message ?? ''}`);
  if (options.rejected === true) {
    print('\nRejected:');
    for (const { name, verdict, reason, message } of results)
      if (verdict.startsWith('rejected')) print(`  ${name}  ${verdict}: ${reason ?? ''}: ${message ?? ''}`);
  }
  if (options.before !== undefined) changes(JSON.parse(readFileSync(options.before, 'utf8')) as ComparedFile[]);
}

function figures({ png, svg }: Pick<ComparedFile, 'png' | 'svg'>): string {
  const percent = (share: number): string => (share * 100).toFixed(2);
  const one = (name: string, difference: Difference | undefined): string =>
    difference && !isWithin(difference)
      ? `${name} ${percent(difference.unexplained)} / ${percent(difference.mean)}  `
      : '';
  return one('PNG', png) + one('SVG', svg);
}

function table(): void {
  const columns: readonly (readonly [string, (result: ComparedFile) => boolean])[] = [
    ['files', () => true],
    ['right', of('right')],
    ['wrong', of('wrong')],
    ['PNG wrong', ({ png }) => png !== undefined && !isWithin(png)],
    ['SVG wrong', ({ svg }) => svg !== undefined && !isWithin(svg)],
    ['rejected', of('rejected')],
    ['rejected, empty in the browser', of('rejected-empty')],
    ['accepted, an error in the browser', of('accepted-broken')],
  ];
  const groups = new Map<string, ComparedFile[]>();
  for (const result of results) {
    const group = dirname(result.name);
    groups.set(group, [...(groups.get(group) ?? []), result]);
  }
  print(['folder', ...columns.map(([title]) => title)].join(' | '));
  const line = (name: string, some: readonly ComparedFile[]): void =>
    print([name.padEnd(36), ...columns.map(([, is]) => String(some.filter(is).length).padStart(5))].join(' '));
  for (const [name, some] of groups) line(name, some);
  line('all', results);
  const reasons = new Map<string, number>();
  for (const { verdict, reason = '' } of results)
    if (verdict.startsWith('rejected')) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  print(`\nReasons of rejection: ${sorted.map(([reason, count]) => `${reason} ${count}`).join(', ')}`);
}

function of(verdict: Verdict): (result: ComparedFile) => boolean {
  return (result) => result.verdict === verdict;
}

function changes(before: readonly ComparedFile[]): void {
  const known = new Map(before.map(({ name, verdict }) => [name, verdict]));
  print('\nChanged:');
  for (const { name, verdict, reason = '' } of results) {
    const was = known.get(name) ?? 'new';
    if (was !== verdict) print(`  ${name}  ${was} → ${verdict} ${reason}`);
  }
}
