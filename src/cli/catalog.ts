// `npm run catalog --`: import, remove, list, show, withdraw, restore. May be used beside a running service, which
// notices.
import { Command, Option } from 'commander';
import { readCatalogConfig, type CatalogConfig } from '../../config/catalog.js';
import { openCatalogTools, type CatalogTools } from '../compose/catalog-tools.js';
import { parseSlug, type Entry, type Slug } from '../domain/catalog/entry.js';
import { explain, fail, json, parseCount, print, printJson, runCommand, type JsonFlag } from './command.js';
import { openImportBar, printSummary } from './import-report.js';

const MAX_REASON = 300;

interface ImportFlags extends JsonFlag {
  readonly package?: CatalogConfig['packages'];
  readonly iconify?: string;
  readonly folder?: string;
  readonly prefix?: string;
  readonly title?: string;
  readonly license?: string;
  readonly brands?: true;
  readonly verbose?: true;
}

interface ListFlags extends JsonFlag {
  readonly limit?: number;
}

// Started by the service for the first import, it ends with the service.
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}

const config = readCatalogConfig();
const program = new Command('npm run catalog --').description(
  'What the service serves: import it, look at it, withdraw from it.',
);

program
  .command('import')
  .description(
    'Import icons. Without a source: the packages of config/catalog.json. What other sources gave before stays.',
  )
  .addOption(new Option('--package <name...>', 'installed npm packages').choices(config.packages))
  .addOption(
    new Option('--iconify <path>', 'an Iconify JSON file, or a folder of them').conflicts(['package', 'folder']),
  )
  .addOption(
    new Option(
      '--folder <path>',
      'a folder of SVG files: name.svg, name--variant.svg; subfolders are categories',
    ).conflicts(['package', 'iconify']),
  )
  .option(
    '--prefix <prefix>',
    'before every slug, as in prefix-name; a folder without one is merged with the brands of the same name',
  )
  .option('--brands', 'an Iconify set of logos: merge it with the brands of the same name')
  .option('--title <title>', 'what a folder is called')
  .addOption(
    new Option('--license <spdx>', 'of all icons of a folder or set; LicenseRef-Own is for your own').choices([
      ...config.licenses.allow,
      ...config.licenses.allowPrivate,
    ]),
  )
  .option('--verbose', 'name every icon that was skipped')
  .addOption(json())
  .action((flags: ImportFlags) => withTools((tools) => runImport(tools, flags)));

program
  .command('remove <source>')
  .description(
    'Take an imported source out again, with all that it gave: iconify:mdi, folder:acme, package:simple-icons.',
  )
  .action((source: string) => withTools((tools) => removeSource(tools, source)));

program
  .command('list')
  .description('Slugs and titles, by slug.')
  .option('--limit <n>', 'at most this many', parseCount)
  .addOption(json())
  .action((flags: ListFlags) => withTools((tools) => list(tools, flags)));

program
  .command('show <slug>')
  .description('One entry.')
  .addOption(json())
  .action((slug: string, flags: JsonFlag) => withTools((tools) => show(tools, slug, flags)));

program
  .command('withdraw <slug>')
  .description('Stop serving an entry; it answers 410 with the reason, also after later imports.')
  .requiredOption('--reason <text>', 'what users are told')
  .action((slug: string, { reason }: { reason: string }) => withTools((tools) => withdraw(tools, slug, reason)));

program
  .command('restore <slug>')
  .description('Serve a withdrawn entry again.')
  .action((slug: string) => withTools((tools) => restore(tools, slug)));

await program.parseAsync();

async function runImport(tools: CatalogTools, flags: ImportFlags): Promise<void> {
  const bar = openImportBar(process.stderr.isTTY && flags.json !== true);
  try {
    const summary = await importWith(tools, flags, bar.show);
    bar.stop();
    if (flags.json === true) printJson(summary);
    else printSummary(summary, { everySkip: flags.verbose === true });
  } finally {
    bar.stop();
  }
}

async function importWith(
  tools: CatalogTools,
  flags: ImportFlags,
  onProgress: Parameters<CatalogTools['importPackages']>[0],
) {
  const { iconify, folder, prefix, license, title } = flags;
  if (iconify !== undefined) {
    const options = {
      kind: flags.brands === true ? 'brands' : 'set',
      ...(prefix !== undefined && { prefix }),
      ...(license !== undefined && { license }),
    } as const;
    return tools.importSources(onProgress, tools.openIconify(iconify, options));
  }
  if (folder !== undefined) {
    const kind = prefix === undefined ? 'brands' : 'set';
    const source = await tools.openFolder({
      folder,
      kind,
      prefix: prefix ?? null,
      title: title ?? null,
      license: license ?? 'LicenseRef-Own',
    });
    return tools.importSources(onProgress, [source]);
  }
  return tools.importPackages(onProgress, flags.package);
}

async function removeSource(tools: CatalogTools, source: string): Promise<void> {
  const { entries } = await tools.importSources(() => undefined, [{ removed: source }]);
  print(`${source} is removed; the catalog has ${entries} entries.`);
}

async function list({ store }: CatalogTools, flags: ListFlags): Promise<void> {
  const { limit = Infinity } = flags;
  const entries: Pick<Entry, 'slug' | 'title' | 'revision'>[] = [];
  for await (const { slug, title, revision } of store.entries()) {
    if (entries.length >= limit) break;
    entries.push({ slug, title, revision });
  }
  if (flags.json === true) printJson(entries);
  else for (const { slug, title } of entries) print(`${slug.padEnd(40)} ${title}`);
  if (entries.length === 0 && (await store.state()) === undefined)
    explain('The catalog is empty. `npm run catalog -- import` fills it.');
}

async function show({ store }: CatalogTools, text: string, flags: JsonFlag): Promise<void> {
  const asked = slugArgument(text);
  const first = await store.find(asked);
  const found = first.kind === 'moved' ? await store.find(first.to) : first;
  if (found.kind === 'withdrawn') fail(`${found.slug} was withdrawn: ${found.reason}`);
  if (found.kind !== 'entry') fail(`There is no entry "${asked}".`);
  const { entry } = found;
  if (flags.json === true) {
    printJson(entry);
    return;
  }
  const { title, slug, hex, domain, license, variants, provenance, aliases } = entry;
  print(`${title} (${slug})${first.kind === 'moved' ? `, asked as ${asked}` : ''}`);
  print(`  color ${hex ?? '-'}   domain ${domain ?? '-'}   licence ${license.type}`);
  if (aliases.length > 0) print(`  also known as ${aliases.join(', ')}`);
  for (const variant of variants) {
    print(
      `  ${variant.name.padEnd(16)} ${variant.width}×${variant.height}  ${variant.colors.join(' ')}${variant.recolorable ? ' (recolorable)' : ''}`,
    );
  }
  print(`  from ${provenance.map((one) => `${one.package} ${one.version}`).join(', ')}`);
}

async function withdraw({ store }: CatalogTools, text: string, reason: string): Promise<void> {
  const slug = slugArgument(text);
  const told = reason.trim();
  if (told === '' || told.length > MAX_REASON)
    fail(`The reason is what users are told: 1 to ${MAX_REASON} characters.`);
  const found = await store.find(slug);
  if (found.kind === 'moved') fail(`${slug} is another name of ${found.to}; withdraw that one.`);
  if (!(await store.withdraw(slug, told, new Date()))) fail(`There is no entry "${slug}".`);
  print(`${slug} is withdrawn.`);
}

async function restore({ store }: CatalogTools, text: string): Promise<void> {
  const slug = slugArgument(text);
  if (!(await store.restore(slug))) fail(`${slug} was not withdrawn.`);
  print(`${slug} is served again.`);
}

/** Opens the catalog of DATA_DIR for one command. */
function withTools(run: (tools: CatalogTools) => Promise<void>): Promise<void> {
  return runCommand(async ({ DATA_DIR }) => {
    const tools = openCatalogTools(DATA_DIR);
    try {
      await run(tools);
    } finally {
      tools.close();
    }
  });
}

function slugArgument(text: string): Slug {
  return parseSlug(text) ?? fail(`"${text}" is not a slug.`);
}
