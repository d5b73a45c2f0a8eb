// Commands about the catalog (`npm run catalog --`): import, list, show, sheet, withdraw, remove. May run beside the service,
// which follows each change.
import { Option } from 'commander';
import { readCatalogConfig, type CatalogConfig } from '../../config/catalog.js';
import { openCatalogTools, type CatalogTools } from '../compose/catalog-tools.js';
import { openIconifySets, openPackages, openSvgFolder } from '../compose/icon-sources.js';
import { parseSlug, type Slug } from '../domain/catalog/entry.js';
import type { ChoiceExplanation } from '../services/catalog/explain-choice.js';
import type { ListedEntry, ListingFilter } from '../services/catalog/catalog-listing.js';
import { createProgram, fail, json, parseCount, print, printError, printJson, type JsonFlag } from './command.js';
import { drawSheets, type SheetFlags } from './catalog-sheet.js';
import { openImportBar, type ImportDisplay } from './import-display.js';
import { printSummary } from './import-report.js';
import { withDatabase } from './with-database.js';

interface ImportFlags extends JsonFlag {
  readonly package?: CatalogConfig['packages'];
  readonly iconify?: string;
  readonly folder?: string;
  readonly prefix?: string;
  readonly title?: string;
  readonly license?: string;
  readonly brands?: true;
  /** Undefined where neither is given. */
  readonly override?: boolean;
  readonly verbose?: true;
}

interface ListFlags extends JsonFlag {
  readonly source?: string;
  readonly withdrawn?: true;
  readonly limit?: number;
}

interface ShowFlags extends JsonFlag {
  readonly why?: true;
}

type Sources = Parameters<CatalogTools['importSources']>[1];

const config = readCatalogConfig();
const program = createProgram('catalog', 'The icons that the service serves. May run beside it.');

program
  .command('import')
  .description('Import icons: by default the packages of config/catalog.json. Icons of other sources stay as they are.')
  .addOption(new Option('--package <name...>', 'installed npm packages').choices(config.packages))
  .addOption(
    new Option('--iconify <path>', 'an Iconify JSON file, or a folder of them').conflicts(['package', 'folder']),
  )
  .addOption(
    new Option(
      '--folder <path>',
      'a folder of SVG files: name.svg, name--variant.svg; subfolders are categories, name.json has facts',
    ).conflicts(['package', 'iconify']),
  )
  .option(
    '--prefix <prefix>',
    'begins every slug, as in prefix-name; without it a folder is merged with the brands of the same name',
  )
  .option('--brands', 'merge an Iconify set of logos with the brands of the same name')
  .option('--override', 'its drawings and facts go before those of other sources; the default for a folder of brands')
  .option('--no-override', 'merge a folder like any other source')
  .option('--title <title>', 'name of a folder as a source')
  .addOption(
    new Option('--license <spdx>', 'license of all icons of a folder or set; LicenseRef-Own for your own').choices([
      ...config.licenses.allow,
      ...config.licenses.allowPrivate,
    ]),
  )
  .option('--verbose', 'name every icon that was skipped')
  .addOption(json())
  .action((flags: ImportFlags) =>
    withDatabase({
      database: 'create',
      open: async (env) => {
        // Before the database: a wrong path must not leave one behind.
        const sources = await openSources(flags);
        return { ...(await openCatalogTools(env)), sources };
      },
      run: (tools) => runImport(tools, flags),
    }),
  );

program
  .command('remove <source>')
  .description('Remove an imported source with its icons, such as iconify:mdi, folder:acme or package:simple-icons.')
  .action((source: string) => withTools((tools) => removeSource(tools, source)));

program
  .command('list [text]')
  .description('List slugs and titles, by slug; with a text, those whose slug, title or alias contains it.')
  .option('--source <source>', 'only of this source, such as iconify:mdi, folder:acme or package:simple-icons')
  .option('--withdrawn', 'withdrawn entries, with day and reason, instead of those served')
  .option('--limit <n>', 'at most this many', parseCount)
  .addOption(json())
  .action((text: string | undefined, flags: ListFlags) => withTools((tools) => list(tools, text, flags)));

program
  .command('show <slug>')
  .description('Show an entry.')
  .option('--why', 'why its default is what it is: every drawing that could be, with its score')
  .addOption(json())
  .action((slug: string, flags: ShowFlags) => withTools((tools) => show(tools, slug, flags)));

program
  .command('sheet [text]')
  .description('Draw contact sheets: PNG pages of pictures with their names; with a text, of entries as in `list`.')
  .requiredOption('--out <dir>', 'folder for the pages; it is created')
  .addOption(
    new Option('--show <what>', 'what to draw of each entry; light and dark are what `on` gives')
      .choices(['defaults', 'variants', 'light', 'dark'])
      .default('defaults'),
  )
  .action((text: string | undefined, flags: SheetFlags) => withTools((tools) => drawSheets(tools, text, flags)));

program
  .command('withdraw <slug>')
  .description('Stop serving an entry, after later imports too: requests are answered with 410 and the reason.')
  .requiredOption('--reason <text>', 'shown to users')
  .action((slug: string, { reason }: { reason: string }) => withTools((tools) => withdraw(tools, slug, reason)));

program
  .command('restore <slug>')
  .description('Serve a withdrawn entry again.')
  .action((slug: string) => withTools((tools) => restore(tools, slug)));

export default program;

async function runImport(tools: CatalogTools & { readonly sources: Sources }, flags: ImportFlags): Promise<void> {
  const display = openDisplay(flags);
  try {
    const summary = await tools.importSources(display.show, tools.sources);
    display.stop();
    if (flags.json === true) printJson(summary);
    else printSummary(summary, { everySkip: flags.verbose === true });
  } finally {
    display.stop();
  }
}

/** The service that started this process shows its progress by itself. */
function openDisplay({ json }: ImportFlags): ImportDisplay {
  if (process.stderr.isTTY && json !== true && !process.connected) return openImportBar();
  return { show: (progress) => void process.send?.(progress), stop: () => undefined };
}

async function openSources(flags: ImportFlags): Promise<Sources> {
  const { iconify, folder, prefix, license, title } = flags;
  if (iconify !== undefined) {
    const options = {
      kind: flags.brands === true || flags.override === true ? 'brands' : 'set',
      ...(flags.override === true && { isOverride: true }),
      ...(prefix !== undefined && { prefix }),
      ...(license !== undefined && { license }),
    } as const;
    return openIconifySets(iconify, options);
  }
  if (folder !== undefined) {
    const kind = prefix === undefined ? 'brands' : 'set';
    const source = await openSvgFolder({
      folder,
      kind,
      prefix: prefix ?? null,
      title: title ?? null,
      license: license ?? 'LicenseRef-Own',
      isOverride: kind === 'brands' && flags.override !== false,
    });
    return [source];
  }
  return openPackages(flags.package);
}

async function removeSource(tools: CatalogTools, source: string): Promise<void> {
  const { entries } = await tools.importSources(() => undefined, [{ removed: source }]);
  print(`${source} is removed; the catalog has ${entries} entries.`);
}

async function list({ listing }: CatalogTools, text: string | undefined, flags: ListFlags): Promise<void> {
  const { source, withdrawn = false, limit = Infinity } = flags;
  const filter = { withdrawn, ...(text !== undefined && { text }), ...(source !== undefined && { source }) };
  const entries: ListedEntry[] = [];
  let isCut = false;
  for await (const entry of listing.list(filter)) {
    isCut = entries.length === limit;
    if (isCut) break;
    entries.push(entry);
  }
  if (flags.json === true)
    printJson(entries.map(({ withdrawal, ...entry }) => ({ ...entry, ...(withdrawn && { withdrawal }) })));
  else for (const entry of entries) print(entryLine(entry));
  if (isCut) printError('There are more; see --limit.');
  if (entries.length === 0)
    printError((await listing.isImported()) ? noMatchText(filter) : 'The catalog is empty; `import` fills it.');
}

function entryLine({ slug, title, withdrawal }: ListedEntry): string {
  const line = `${slug.padEnd(40)} ${title ?? '-'}`;
  return withdrawal ? `${line}   withdrawn ${withdrawal.withdrawnAt.slice(0, 10)}: ${withdrawal.reason}` : line;
}

function noMatchText({ source, text, withdrawn }: ListingFilter): string {
  const conditions = [
    ...(source === undefined ? [] : [`of ${source}`]),
    ...(text === undefined ? [] : [`named like "${text}"`]),
  ];
  return `There is no ${[withdrawn === true ? 'withdrawn entry' : 'entry', ...conditions].join(' ')}.`;
}

async function show(tools: CatalogTools, text: string, flags: ShowFlags): Promise<void> {
  const given = slugArgument(text);
  const entry = await tools.listing.find(given);
  const why = flags.why === true ? ((await tools.explain(entry.slug)) ?? null) : undefined;
  if (flags.json === true) {
    printJson(why === undefined ? entry : { ...entry, why });
    return;
  }
  const { title, slug, hex, domain, license, variants, provenance, aliases } = entry;
  print(`${title} (${slug})${slug === given ? '' : `, also ${given}`}`);
  print(`  color ${hex ?? '-'}   domain ${domain ?? '-'}   license ${license.type}`);
  if (aliases.length > 0) print(`  also known as ${aliases.join(', ')}`);
  for (const variant of variants) {
    print(
      `  ${variant.name.padEnd(16)} ${variant.width}×${variant.height}  ` +
        `${variant.colors.join(' ')}${variant.recolorable ? ' (recolorable)' : ''}` +
        (variant.derived === true ? ' (derived)' : ''),
    );
  }
  if (why !== undefined) printWhy(why);
  print(`  from ${provenance.map((one) => `${one.package} ${one.version}`).join(', ')}`);
}

function printWhy(why: ChoiceExplanation | null): void {
  print(why === null ? '  an icon of a set: nothing to choose' : `  default: ${why.chosen}`);
  for (const { drawing, score, reasons } of why?.scored ?? []) {
    print(`  ${String(score).padStart(6)}  ${drawing}`);
    for (const { points, because } of reasons) print(`          ${points > 0 ? '+' : ''}${points} ${because}`);
  }
}

async function withdraw({ withdrawals }: CatalogTools, text: string, reason: string): Promise<void> {
  const slug = slugArgument(text);
  await withdrawals.withdraw(slug, reason);
  print(`${slug} is withdrawn.`);
}

async function restore({ withdrawals }: CatalogTools, text: string): Promise<void> {
  const slug = slugArgument(text);
  await withdrawals.restore(slug);
  print(`${slug} is served again.`);
}

function withTools(run: (tools: CatalogTools) => Promise<void>): Promise<void> {
  return withDatabase({ database: 'existing', open: openCatalogTools, run });
}

function slugArgument(text: string): Slug {
  return parseSlug(text) ?? fail(`"${text}" is not a slug.`);
}
