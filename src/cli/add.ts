// Add command (`blazon add`): copies drawings into a project, with a list of their licenses.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Option, type Command as Program } from 'commander';
import { CODE_FORMATS, isComponent, projectFile, type CodeFormat } from '../pictures/project-code.js';
import {
  addressIn,
  EXIT_USAGE,
  fail,
  keyOption,
  show,
  urlOption,
  type Command,
} from '../platform/command-line/command.js';
import { bundledDrawings, type FoundDrawing, type Wanted } from './bundled-drawings.js';
import { readLicenseList, writeLicenseList } from '../catalog/license-list.command.js';
import { makeFolder } from '../platform/command-line/make-folder.js';
import { createFile, isTaken, replaceFile } from '../platform/command-line/project-files.js';
import { servedDrawings } from './served-drawings.js';

const MAX_SLUGS = 100;

interface AddFlags {
  readonly variant: string;
  readonly format: CodeFormat;
  readonly dir: string;
  readonly force?: true;
  readonly url?: string;
  readonly key?: string;
}

export default {
  argument: ['<slug...>', 'slugs, names or domains of brands'],
  options: [
    new Option('--variant <name>', 'variant of the drawing, such as mono, dark or wordmark').default('default'),
    new Option(
      '--format <format>',
      'output format; React components are .tsx files if there is a tsconfig.json in or above the folder, ' +
        'otherwise .jsx',
    )
      .choices(CODE_FORMATS)
      .default('svg'),
    new Option('--dir <folder>', 'target folder; it is created if necessary').default('icons'),
    new Option('--force', 'replace existing files'),
    urlOption('get the drawings from this service instead of the bundled catalog'),
    keyOption('API key for --url'),
  ],
  run: add,
} satisfies Command;

async function add(
  slugs: readonly string[],
  { format, dir, variant, force, url, key }: AddFlags,
  program: Program,
): Promise<void> {
  if (slugs.length > MAX_SLUGS) fail(`At most ${MAX_SLUGS} brands can be added at a time.`, EXIT_USAGE);
  if (slugs.some((slug) => slug.trim() === ''))
    fail('<slug...>: one of the values is empty; allowed: a slug, a name or a domain.', EXIT_USAGE);
  if (dir === '') fail('--dir: the value is empty; allowed: a folder, or . for the current one.', EXIT_USAGE);
  // A key on the command line requires --url. A key from the environment does not require --url, because the variable
  // may be set for other programs.
  const isWithoutUrl = url === undefined && program.getOptionValueSource('key') === 'cli';
  if (isWithoutUrl || (url !== undefined && key === undefined))
    fail('--url and --key must be used together.', EXIT_USAGE);
  const rows = readLicenseList(dir);
  const wanted: Wanted = { slugs, variant, paint: isComponent(format) ? 'currentColor' : 'brand' };
  const found =
    url === undefined || key === undefined
      ? await bundledDrawings(wanted)
      : await servedDrawings({ url: addressIn(url), key }, wanted);
  const files = projectFiles(found, { format, dir }).map((file) => ({
    ...file,
    kept: force !== true && isTaken(file.path),
  }));
  const written = files.filter(({ kept }) => !kept);
  const list = orUnwritable(dir, () => {
    makeFolder(dir);
    for (const { path, text } of written) (force ? replaceFile : createFile)(path, text);
    return writeLicenseList(dir, rows, written);
  });
  show(
    files.map(({ path, slug, license, kept }) => ({ path, slug, license: license.type, written: !kept })),
    [
      ...files.map(({ path, title, license, kept }) =>
        kept ? `${path} already exists and was kept; use --force to replace it` : `${path}  ${title}, ${license.type}`,
      ),
      `The licenses are listed in ${list}. Logos are trademarks of their owners.`,
    ],
  );
}

type AddedFile = Omit<FoundDrawing['entry'], 'slug'> & Record<'path' | 'name' | 'text' | 'slug', string>;

/** Returns the files to write. Fails if two drawings would have the same file name. */
function projectFiles(found: readonly FoundDrawing[], { format, dir }: Pick<AddFlags, 'format' | 'dir'>): AddedFile[] {
  const typed = isTypescript(dir);
  const files = new Map<string, AddedFile>();
  for (const { entry, variant, svg } of found) {
    const { slug, title, license, source, provenance } = entry;
    const { name, text } = projectFile(format, { slug, title, license: license.type, variant, svg }, typed);
    const other = files.get(name);
    if (other !== undefined && other.slug !== slug)
      fail(`${other.slug} and ${slug} would both be named ${name}. Add one of them with another --dir.`);
    files.set(name, { ...{ path: join(dir, name), name, text, slug, title, license, source, provenance } });
  }
  return [...files.values()];
}

/** Returns true if the folder or one of its parents has a tsconfig.json. */
function isTypescript(dir: string): boolean {
  const folder = resolve(dir);
  return existsSync(join(folder, 'tsconfig.json')) || (folder !== dirname(folder) && isTypescript(dirname(folder)));
}

function orUnwritable<Result>(dir: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    return fail(`--dir: ${dir} cannot be written (${error instanceof Error ? error.message : String(error)}).`);
  }
}
