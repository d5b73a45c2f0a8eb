// `npm run catalog -- missing`: requested names that the catalog lacks.
import { InvalidArgumentError, Option } from 'commander';
import { readBrandFacts } from '../../config/brand-domains.js';
import { CATALOG_STORES } from '../catalog/stores.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';
import { createMissingListing } from './missing-listing.js';
import { records } from './stores.records.js';
import { DEFAULT_RANGE_DAYS } from '../platform/day-range.js';
import { MISSING_KEPT_DAYS } from './missing-names.js';
import { MISSING_KINDS, type MissingKind } from '../platform/not-found.js';
import {
  limitOption,
  parseCount,
  printError,
  show,
  tableOf,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';

interface MissingFlags {
  readonly days: number;
  readonly kind?: MissingKind;
  readonly limit: number;
}

export const missing: Subcommand = {
  name: 'missing',
  help:
    'List requested domains, slugs and search terms that no catalog contains, most requested first. The names of ' +
    'the accounts that requested them are not stored.',
  options: [
    new Option('--days <n>', `number of days, including today; at most ${MISSING_KEPT_DAYS}`)
      .argParser(parseDays)
      .default(DEFAULT_RANGE_DAYS),
    new Option('--kind <kind>', 'only names of this kind').choices(MISSING_KINDS),
    limitOption(50),
  ],
  run: withTools(openListing)(listMissing),
};

async function openListing(env: StoresEnv) {
  const features = [CATALOG_STORES, { name: 'missing-names', records: async () => records }];
  const stores = await openCommandStores(env, { features, now: Date.now, onError: () => undefined });
  const { catalog: store, missingNames } = stores;
  return {
    listing: createMissingListing({ store, missingNames, brandFacts: readBrandFacts(), now: Date.now }),
    close: (): Promise<void> => stores.close(),
  };
}

function parseDays(text: string): number {
  const days = parseCount(text);
  if (days > MISSING_KEPT_DAYS)
    throw new InvalidArgumentError(`The value must be a whole number from 1 to ${MISSING_KEPT_DAYS}.`);
  return days;
}

async function listMissing(
  { listing }: Awaited<ReturnType<typeof openListing>>,
  { days, kind, limit }: MissingFlags,
): Promise<void> {
  const names = await listing.list({ days, kind });
  const shown = names.slice(0, limit);
  const rows = shown.map(({ name, kind: one, accounts, requests, days: asked }) =>
    [name, one, accounts, requests, asked.length, asked[0]?.day ?? ''].map(String),
  );
  const heading = ['name', 'kind', 'accounts a day', 'requests', 'days', 'last'];
  show(shown, rows.length === 0 ? [] : tableOf(heading, rows));
  if (shown.length < names.length) printError(`There are ${names.length} names. Use --limit to see more.`);
  if (names.length === 0) printError(`No missing names were requested in the last ${days} days.`);
}
