// Add command (`blazon add`): copies drawings into a project, with a list of their licenses.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { CODE_FORMATS, isComponent, projectFile, type CodeFormat } from '../domain/picture/project-code.js';
import { fail, show, type Command } from './command.js';
import { bundledDrawings, servedDrawings, type Wanted } from './drawing-source.js';
import { readLicenseList, writeLicenseList } from './license-list.js';

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
  argument: ['<slug...>', 'slugs or names of brands'],
  options: [
    new Option('--variant <name>', 'which drawing, such as mono, dark or wordmark').default('default'),
    new Option('--format <format>', 'what to write').choices(CODE_FORMATS).default('svg'),
    new Option('--dir <folder>', 'where to; it is created').default('icons'),
    new Option('--force', 'replace files that are there already'),
    new Option('--url <address>', 'take them from this service instead of the bundled catalog'),
    new Option('--key <key>', 'API key for --url'),
  ],
  run: add,
} satisfies Command;

async function add(slugs: readonly string[], { format, dir, variant, force, url, key }: AddFlags): Promise<void> {
  if (slugs.length > MAX_SLUGS) fail(`At most ${MAX_SLUGS} brands at a time.`);
  if ((url === undefined) !== (key === undefined)) fail('--url and --key belong together.');
  const rows = readLicenseList(dir);
  const wanted: Wanted = { slugs, variant, paint: isComponent(format) ? 'currentColor' : 'brand' };
  const found =
    url === undefined || key === undefined ? await bundledDrawings(wanted) : await servedDrawings({ url, key }, wanted);
  const typed = existsSync('tsconfig.json');
  const files = found.map(({ entry, variant: drawn, svg }) => {
    const { slug, title, license, source, provenance } = entry;
    const { name, text } = projectFile(format, { slug, title, license: license.type, variant: drawn, svg }, typed);
    const path = join(dir, name);
    return {
      ...{ path, name, text, slug, title, license, source, provenance },
      kept: existsSync(path) && force !== true,
    };
  });
  const written = files.filter(({ kept }) => !kept);
  const list = orUnwritable(dir, () => {
    mkdirSync(dir, { recursive: true });
    for (const { path, text } of written) writeFileSync(path, text);
    return writeLicenseList(dir, rows, written);
  });
  show(
    files.map(({ path, slug, license, kept }) => ({ path, slug, license: license.type, written: !kept })),
    [
      ...files.map(({ path, title, license, kept }) =>
        kept ? `${path} is there already and was kept; --force replaces it` : `${path}  ${title}, ${license.type}`,
      ),
      `${list} lists the licenses. Logos are trademarks of their owners.`,
    ],
  );
}

function orUnwritable<Result>(dir: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    return fail(`--dir: ${dir} cannot be written (${error instanceof Error ? error.message : String(error)}).`);
  }
}
