// Commands about own brands (`blazon brands`), such as uploading a folder of SVG files to a service.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Option } from 'commander';
import { zipSync, type Zippable } from 'fflate';
import { z } from 'zod';
import { DRAWINGS_PAGE } from '../catalog/rejection-text.js';
import {
  addressIn,
  fail,
  keyOption,
  setExitCode,
  show,
  tableOf,
  urlOption,
  type Subcommand,
} from '../platform/command-line/command.js';
import { callService, parseAnswer } from '../platform/command-line/service-call.js';

const MAX_FILES = 1000;
const TIMEOUT_MS = 300_000;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const PUSHED = /\.(?:svgz?|json)$/i;

interface PushFlags {
  readonly url: string;
  readonly key: string;
  readonly atomic?: true;
}

const pushedSchema = z.object({
  applied: z.boolean(),
  results: z.array(
    z.object({
      file: z.string(),
      slug: z.string().nullable(),
      status: z.number(),
      message: z.string().optional(),
      details: z
        .array(
          z.object({
            code: z.string().optional(),
            element: z.string().optional(),
            line: z.number().optional(),
            advice: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
});

export default [
  {
    name: 'push <folder>',
    help:
      'Upload the SVG files of a folder, with their sidecar files, as own brands of the account. Other own brands ' +
      'are kept.',
    options: [
      urlOption('the service').makeOptionMandatory(),
      keyOption('API key of the account').makeOptionMandatory(),
      new Option('--atomic', 'change nothing if a file is rejected'),
    ],
    run: push,
  },
] satisfies readonly Subcommand[];

async function push(folder: string, { url, key, atomic }: PushFlags): Promise<void> {
  const at = { url: addressIn(url), key };
  const answer = await callService(at, `/v1/brands${atomic ? '?atomic=1' : ''}`, {
    ...{ method: 'PUT', body: zipSync(filesIn(folder)), mediaType: 'application/zip' },
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
  });
  const { applied, results } = parseAnswer(pushedSchema, answer, at);
  const rows = results.map(({ file, slug, status, message }) => [
    ...[file, slug ?? '-', status === 422 ? 'rejected' : status === 201 ? 'created' : 'updated'],
    message ?? '',
  ]);
  show({ applied, results }, [
    ...tableOf(['FILE', 'SLUG', 'RESULT', ''], rows),
    ...(applied ? [] : ['Nothing was changed.']),
    ...(results.some(({ details }) => details !== undefined) ? [aboutDrawings(at.url)] : []),
  ]);
  if (results.some(({ status }) => status === 422)) setExitCode(1);
}

function aboutDrawings(url: URL): string {
  const { href } = new URL(DRAWINGS_PAGE, url);
  return `For accepted drawings, and how to fix others, see ${href}`;
}

/** Reads the files of the folder, without following symbolic links. */
function filesIn(folder: string): Zippable {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) fail(`${folder} is not a folder.`);
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && PUSHED.test(entry.name),
  );
  if (found.length === 0) fail(`There are no SVG files in ${folder}.`);
  if (found.length > MAX_FILES)
    fail(`There are ${found.length} files in ${folder}. At most ${MAX_FILES} can be uploaded at once.`);
  return Object.fromEntries(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const inside = path.slice(join(folder, sep).length);
      return [inside.split(sep).join('/'), new Uint8Array(readFileSync(path))];
    }),
  );
}
