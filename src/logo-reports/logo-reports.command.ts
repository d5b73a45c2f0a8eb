// `npm run catalog -- reports`, `remove-reports`: reports about wrong logos.
import { parseSlug, type Slug } from '../catalog/entry.js';
import { CATALOG_STORES } from '../catalog/stores.js';
import {
  fail,
  limitOption,
  printError,
  show,
  tableOf,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';
import { countOf, type ReportedEntry } from './logo-reports.js';
import { records } from './stores.records.js';

interface Tools {
  readonly stores: Awaited<ReturnType<typeof openCommandStores>>;
}

const withReports = withTools(async (env: StoresEnv) => {
  const features = [CATALOG_STORES, { name: 'logo-reports', records: async () => records }];
  const stores = await openCommandStores(env, { features, now: Date.now, onError: () => undefined });
  return { stores, close: (): Promise<void> => stores.close() };
});

export const reportCommands: readonly Subcommand[] = [
  {
    name: 'reports',
    help: 'List logos that visitors reported as wrong, latest report first. Senders are not stored.',
    options: [limitOption(50)],
    run: withReports(list),
  },
  {
    name: 'remove-reports <slug>',
    help: 'Remove the reports about a logo after you have handled them.',
    json: false,
    run: withReports(remove),
  },
];

async function list({ stores: { logoReports } }: Tools, { limit }: { readonly limit: number }): Promise<void> {
  const reports = await logoReports.list();
  const shown = reports.slice(0, limit);
  const rows = shown.map((one) => [
    one.slug,
    String(countOf(one)),
    reasonsOf(one),
    day(one),
    one.comments[0]?.text ?? '',
  ]);
  const heading = ['slug', 'reports', 'reasons', 'last', 'latest comment'];
  show(shown, rows.length === 0 ? [] : tableOf(heading, rows));
  if (shown.length < reports.length)
    printError(`There are ${reports.length} logos with reports. Use --limit to see more.`);
  if (reports.length === 0) printError('Nobody has reported a wrong logo.');
}

function reasonsOf({ reasons }: ReportedEntry): string {
  return Object.entries(reasons)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');
}

function day({ lastAt }: ReportedEntry): string {
  return lastAt.toISOString().slice(0, 10);
}

async function remove({ stores: { logoReports } }: Tools, text: string): Promise<void> {
  const slug: Slug | undefined = parseSlug(text);
  if (slug === undefined || !(await logoReports.remove(slug))) fail(`There are no reports about "${text}".`);
  printError(`The reports about ${slug} were removed.`);
}
