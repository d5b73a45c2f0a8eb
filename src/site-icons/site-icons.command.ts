// Commands about icons of sites: list, show, refresh, remove, block, unblock. They may run while the service runs.
import { commandText } from '../platform/command-text.js';
import type { Feature } from '../platform/feature.js';
import {
  fail,
  limitOption,
  print,
  printError,
  show,
  tableOf,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';
import { parseAnyHost, parseHost } from '../platform/web/host-name.js';
import type { SiteIconRecord, SiteIconStore } from './site-icon-store.js';
import { records } from './stores.records.js';

const STORES: Feature = { name: 'site-icons', records: async () => records };

async function openTools(env: StoresEnv) {
  const stores = await openCommandStores(env, { features: [STORES], now: Date.now, onError: () => undefined });
  return { store: stores.siteIconStore, close: () => stores.close() };
}

const withStore = withTools(openTools);

export default [
  {
    name: 'list [text]',
    help: 'List the sites whose host name contains a text: state, and when their icon was last used.',
    options: [limitOption(50)],
    run: withStore(async ({ store }, text: string | undefined, { limit }: { readonly limit: number }) => {
      const hosts = await store.hosts(text?.toLowerCase() ?? '');
      const found = await Promise.all(hosts.slice(0, limit).map((host) => store.get(host)));
      const shown = found.flatMap((record) => (record ? [viewOf(record)] : []));
      const rows = shown.map(({ host, state, usedAt, source }) => [host, state, usedAt, source ?? '']);
      show(shown, rows.length === 0 ? [] : tableOf(['HOST', 'STATE', 'LAST USED', 'ICON'], rows));
      if (hosts.length > shown.length) printError(`There are ${hosts.length}; see --limit.`);
    }),
  },
  {
    name: 'show <host>',
    help: 'Show what is stored about a site.',
    run: withStore(async ({ store }, text: string) => {
      const view = viewOf(await stored(store, hostIn(text)));
      show(
        view,
        Object.entries(view).map(([name, value]) => `${name}: ${String(value)}`),
      );
    }),
  },
  {
    name: 'refresh <host>',
    help: 'Fetch the icon anew at the next request for it. Until then, the stored one is served.',
    json: false,
    run: withStore(async ({ store }, text: string) => {
      const record = await stored(store, hostIn(text));
      if (record.state === 'blocked') fail(`${record.id} is blocked. Unblock it first.`);
      if (record.state === 'missing') await store.remove([record.id]);
      else {
        const { icon, version } = record;
        // The stored `ETag` and `Last-Modified` are removed, so that the site returns the icon even if it has not
        // changed.
        const forgotten = { ...icon, source: { url: icon.source.url } };
        await write(store, { ...record, icon: forgotten, dueAt: new Date(0), version: version + 1 });
      }
      print(`The icon of ${record.id} is fetched at the next request.`);
    }),
  },
  {
    name: 'remove <host>',
    help: 'Delete what is stored about a site. The next request fetches its icon again.',
    json: false,
    run: withStore(async ({ store }, text: string) => {
      const { id, state } = await stored(store, hostIn(text));
      if (state === 'blocked')
        fail(
          `${id} is blocked, and its icon is already deleted. There is nothing to remove. To allow its icon again, run ${commandText(`site-icons unblock ${id}`)}`,
        );
      await store.remove([id]);
      print(`The icon of ${id} is deleted. Processes notice that within 30 seconds.`);
    }),
  },
  {
    name: 'block <host>',
    help: 'Delete the icon of a site, and never ask the site again.',
    json: false,
    run: withStore(async ({ store }, text: string) => {
      const id = hostIn(text);
      const now = new Date();
      const version = ((await store.get(id))?.version ?? 0) + 1;
      await write(store, { id, state: 'blocked', checkedAt: now, usedAt: now, version });
      print(`${id} is blocked. Processes notice that within 30 seconds. Clients may show a cached icon for an hour.`);
    }),
  },
  {
    name: 'unblock <host>',
    help: 'Ask a blocked site again at the next request.',
    json: false,
    run: withStore(async ({ store }, text: string) => {
      const { id, state } = await stored(store, hostIn(text));
      if (state !== 'blocked') fail(`${id} is not blocked.`);
      await store.remove([id]);
      print(`${id} is not blocked any more.`);
    }),
  },
] satisfies readonly Subcommand[];

/** Returns the host under which an icon is stored. */
function hostIn(text: string): string {
  const parsed = parseHost(text);
  const host = parsed.kind === 'host' ? parsed.host : parseAnyHost(text);
  return host ?? fail(`"${text}" is not a host name. Use one such as example.com.`);
}

async function stored(store: SiteIconStore, host: string): Promise<SiteIconRecord> {
  return (
    (await store.get(host)) ??
    fail(`Nothing is stored about ${host}. ${commandText('site-icons list')} shows all sites.`)
  );
}

async function write(store: SiteIconStore, record: SiteIconRecord): Promise<void> {
  if (!(await store.put(record))) fail(`The record of ${record.id} has just changed. Try again.`);
}

function viewOf(record: SiteIconRecord) {
  const { id: host, state, checkedAt, usedAt } = record;
  const icon = record.state === 'found' ? record.icon : undefined;
  return {
    host,
    state,
    checkedAt: checkedAt.toISOString(),
    usedAt: usedAt.toISOString(),
    dueAt: record.state === 'blocked' ? null : record.dueAt.toISOString(),
    source: icon?.source.url ?? null,
    form: icon ? (icon.px === null ? 'drawing' : `bitmap of ${icon.px} px`) : null,
    characters: icon ? Object.values(icon.texts).reduce((sum, { length }) => sum + length, 0) : 0,
  };
}
