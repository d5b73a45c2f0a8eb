// Commands about the catalog (`npm run catalog --`): import, list, missing, show, sheet, withdraw, remove. They may run
// while the service runs, because the service notices the changes.
import { Option } from 'commander';
import { readCatalogConfig, type CatalogConfig } from '../../config/catalog.js';
import { bundledCatalog } from './sources/bundle-folder.js';
import { openCatalogTools, type CatalogTools } from './catalog-tools.js';
import { openIconifySets, openPackages, openSvgFolder } from './sources/icon-sources.js';
import { namingFullDisk } from '../platform/stores/open-stores.js';
import { parseSlug, type Slug } from './entry.js';
import { commandText } from '../platform/command-text.js';
import { bundleUpdate } from './bundle-update.js';
import type { ChoiceExplanation } from './import/explain-choice.js';
import type { ListedEntry, ListingFilter } from './catalog-listing.js';
import {
  fail,
  limitOption,
  parseName,
  print,
  printError,
  readCommandEnv,
  show,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';
import { openImportBar, type ImportDisplay } from './import-display.command.js';
import { summaryLines } from './import-report.command.js';

interface ImportFlags {
  readonly json?: true;
  readonly package?: CatalogConfig['packages'];
  readonly bundled?: true;
  /** Set by the service when it starts this command to replace an older bundled catalog with a newer one. */
  readonly update?: true;
  readonly iconify?: string;
  readonly folder?: string;
  readonly prefix?: string;
  readonly title?: string;
  readonly license?: string;
  readonly brands?: true;
  /** Undefined when neither `--override` nor `--no-override` is set. */
  readonly override?: boolean;
  readonly dryRun?: true;
  readonly prune?: true;
  readonly verbose?: true;
  /** Set by the service when it starts the import. The summary is then shorter. */
  readonly brief?: true;
}

interface ListFlags {
  readonly source?: string;
  readonly withdrawn?: true;
  readonly limit?: number;
}

interface ShowFlags {
  readonly why?: true;
}

type Sources = Parameters<CatalogTools['importSources']>[1];

const config = readCatalogConfig();
const withCatalog = withTools(openCatalogTools);

export default [
  {
    name: 'import',
    help:
      'Import icons. Without options: the bundled catalog, or in a clone the packages of config/catalog.json. ' +
      'Icons of other sources are kept.',
    options: [
      new Option('--package <name...>', 'installed npm packages').choices(config.packages),
      new Option('--bundled', 'the catalog that is included in this release').conflicts([
        'package',
        'iconify',
        'folder',
      ]),
      new Option('--update').hideHelp(),
      new Option('--brief').hideHelp(),
      new Option('--iconify <path>', 'an Iconify JSON file, or a folder with such files').conflicts([
        'package',
        'folder',
      ]),
      new Option(
        '--folder <path>',
        'a folder of SVG files: name.svg or .svgz, name--variant.svg; subfolders become categories, name.json ' +
          'contains metadata',
      ).conflicts(['package', 'iconify']),
      new Option(
        '--prefix <prefix>',
        'prefix of all slugs, as in prefix-name; without it, a folder is merged with brands of the same name',
      ),
      new Option('--brands', 'merge an Iconify set of logos with brands of the same name'),
      new Option(
        '--override',
        'prefer its drawings and metadata over other sources; the default for a folder of brands',
      ),
      new Option('--no-override', 'merge a folder without preferring its drawings and metadata (see --override)'),
      new Option('--title <title>', 'source name of a folder').argParser(parseName),
      new Option('--license <spdx>', 'license of all icons in a folder or set; LicenseRef-Own for your own').choices([
        ...config.licenses.allow,
        ...config.licenses.allowPrivate,
      ]),
      new Option('--dry-run', 'show what would be added, changed, renamed and removed, without changing anything'),
      new Option(
        '--prune',
        'remove entries that newer package versions no longer contain; by default, they stay available by slug, ' +
          'but not in lists and search',
      ),
      new Option('--verbose', 'list every skipped icon'),
    ],
    run: runImport,
  },
  {
    name: 'remove <source>',
    help: 'Remove a source and its icons, such as iconify:mdi, folder:acme or package:simple-icons.',
    json: false,
    run: withCatalog(async ({ importSources }, source: string) => {
      const { entries } = await importSources(() => undefined, [{ removed: source }]);
      print(`${source} was removed. The catalog now has ${entries} entries.`);
    }),
  },
  {
    name: 'list [text]',
    help: 'List slugs and titles, ordered by slug. With a text: only entries whose slug, title or alias contains it.',
    options: [
      new Option(
        '--source <source>',
        'only entries of this source, such as iconify:mdi, folder:acme or package:simple-icons',
      ),
      new Option('--withdrawn', 'withdrawn entries, with day and reason, instead of those served'),
      limitOption(),
    ],
    run: withCatalog(list),
  },
  {
    name: 'show <slug>',
    help: 'Show an entry.',
    options: [
      new Option('--why', 'explain the choice of the default variant: all candidate drawings with their scores'),
    ],
    run: withCatalog(showEntry),
  },
  {
    name: 'withdraw <slug>',
    help: 'Stop serving an entry, even after later imports. Requests get 410 with the reason.',
    options: [new Option('--reason <text>', 'reason, shown to users').argParser(parseName).makeOptionMandatory()],
    json: false,
    run: withCatalog(async ({ withdrawals }, text: string, { reason }: { readonly reason: string }) => {
      const slug = slugIn(text);
      await withdrawals.withdraw(slug, reason);
      print(`${slug} is withdrawn.`);
    }),
  },
  {
    name: 'restore <slug>',
    help: 'Serve a withdrawn entry again.',
    json: false,
    run: withCatalog(async ({ withdrawals }, text: string) => {
      const slug = slugIn(text);
      await withdrawals.restore(slug);
      print(`${slug} is served again.`);
    }),
  },
  {
    name: 'rollback',
    help:
      'Restore the catalog as it was before the last import. Running the command again undoes the rollback. Withdrawals ' +
      'stay in effect.',
    json: false,
    run: withCatalog(rollBack),
  },
] satisfies readonly Subcommand[];

async function runImport(flags: ImportFlags): Promise<void> {
  const env = readCommandEnv();
  // Sources are opened before the database. Otherwise a wrong path would create an empty database.
  const given = flags.update === true ? undefined : await openSources(flags);
  const inNewDatabase = withTools(openCatalogTools, flags.dryRun ? 'existing' : 'create');
  const importInto = inNewDatabase(async ({ importSources, store }) => {
    const sources = given ?? (await updateSources(store));
    if (sources === undefined) return;
    const display = openDisplay(flags);
    try {
      const summary = await importSources(display.show, sources, flags);
      display.stop();
      show(summary, summaryLines(summary, { everySkip: flags.verbose === true, isBrief: flags.brief === true }));
    } finally {
      display.stop();
    }
  });
  await namingFullDisk(env, 'a first import needs about 150 MB.', importInto);
}

/** Shows no progress bar if the service has started this process, because the service shows the progress itself. */
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
  return openDefault(flags);
}

async function openDefault({ package: packages, bundled }: ImportFlags): Promise<Sources> {
  const bundle = packages === undefined ? bundledCatalog() : undefined;
  if (bundle !== undefined) return [bundle.prepared()];
  if (bundled === true)
    fail(
      `A clone has no bundled catalog. Run ${commandText('catalog import')} to import the packages of ` +
        'config/catalog.json.',
    );
  return openPackages(packages);
}

/** Returns undefined when another process has already updated the catalog. */
async function updateSources(store: CatalogTools['store']): Promise<Sources | undefined> {
  const bundle = bundledCatalog();
  const update = bundle && bundleUpdate(bundle.facts, await store.sources());
  return update && [...update.retired.map((retired) => ({ retired })), bundle.prepared(update.put)];
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
  show(
    entries.map(({ withdrawal, ...entry }) => ({ ...entry, ...(withdrawn && { withdrawal }) })),
    entries.map(entryLine),
  );
  if (isCut) printError('There are more entries. Use --limit to see them.');
  if (entries.length === 0)
    printError(
      (await listing.isImported())
        ? noMatchText(filter)
        : `The catalog is empty. Run ${commandText('catalog import')} to fill it.`,
    );
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

async function showEntry({ listing, explain }: CatalogTools, text: string, flags: ShowFlags): Promise<void> {
  const given = slugIn(text);
  const entry = await listing.find(given);
  const why = flags.why === true ? ((await explain(entry.slug)) ?? null) : undefined;
  const { title, slug, hex, domain, license, variants, provenance, aliases } = entry;
  show(why === undefined ? entry : { ...entry, why }, [
    `${title} (${slug})${slug === given ? '' : `, also ${given}`}`,
    `  color ${hex ?? '-'}   domain ${domain ?? '-'}   license ${license.type}`,
    ...(aliases.length > 0 ? [`  also known as ${aliases.join(', ')}`] : []),
    ...variants.map(
      ({ name, width, height, colors, recolorable, derived }) =>
        `  ${name.padEnd(16)} ${width}×${height}  ${colors.join(' ')}` +
        `${recolorable ? ' (recolorable)' : ''}${derived === true ? ' (derived)' : ''}`,
    ),
    ...(why === undefined ? [] : whyLines(why)),
    `  from ${provenance.map((one) => `${one.package} ${one.version}`).join(', ')}`,
  ]);
}

function whyLines(why: ChoiceExplanation | null): string[] {
  if (why === null) return ['no choice: this is an icon of a set'];
  const scored = why.scored.flatMap(({ drawing, score, reasons }) => [
    `  ${String(score).padStart(6)}  ${drawing}`,
    ...reasons.map(({ points, because }) => `          ${points > 0 ? '+' : ''}${points} ${because}`),
  ]);
  return [`  default: ${why.chosen}`, ...scored];
}

function slugIn(text: string): Slug {
  return parseSlug(text) ?? fail(`"${text}" is not a slug.`);
}

async function rollBack({ store }: CatalogTools): Promise<void> {
  const session = (await store.beginImport()) ?? fail('Another import is running. Wait until it has finished.');
  try {
    if (!(await session.rollBack(new Date()))) fail('There is no earlier catalog to restore.');
    print(`Restored the earlier catalog with ${(await store.state())?.entries ?? 0} entries.`);
  } finally {
    await session.close();
  }
}
