// Commands about webhook endpoints (`npm run webhooks --`). They may run beside the service.
import { Option } from 'commander';
import { allAccounts } from '../accounts/account-listing.js';
import type { Account } from '../accounts/account.js';
import { openCommandServices, type CommandServices } from '../platform/command-line/open-services.js';
import { fail, limitOption, show, tableOf, withTools, type Subcommand } from '../platform/command-line/command.js';
import { editEndpoint } from './changes.js';
import { SHOWN_DELIVERIES, type Delivery } from './delivery.js';
import { webhooksOf, type Endpoint } from './endpoint.js';
import { findEndpoint } from './endpoints.js';

const LIST_LIMIT = 100;
const OPERATOR = { kind: 'operator', address: null } as const;
const withServices = withTools(openCommandServices);

export default [
  {
    name: 'list',
    help: 'List webhook endpoints.',
    options: [limitOption(LIST_LIMIT), new Option('--account <account>', 'only of this account')],
    run: withServices(list),
  },
  { name: 'show <endpoint>', help: 'Show an endpoint and its latest deliveries.', run: withServices(showEndpoint) },
  {
    name: 'disable <endpoint>',
    help: 'Stop sending events to an endpoint. Its owner gets a mail, and can enable it again.',
    run: withServices(disable),
  },
] satisfies readonly Subcommand[];

interface Found {
  readonly account: Account;
  readonly endpoint: Endpoint;
}

interface ListFlags {
  readonly limit: number;
  readonly account?: string;
}

async function list({ services, stores }: CommandServices, { limit, account: emailOrId }: ListFlags): Promise<void> {
  const accounts = emailOrId === undefined ? allAccounts(stores.accounts) : [await services.operator.find(emailOrId)];
  const found: Found[] = [];
  for await (const account of accounts) {
    found.push(...webhooksOf(account).endpoints.map((endpoint) => ({ account, endpoint })));
    if (found.length >= limit) break;
  }
  const shown = found.slice(0, limit);
  const rows = shown.map(({ account, endpoint }) => [endpoint.id, account.email, stateOf(endpoint), endpoint.url]);
  show(shown.map(viewOf), rows.length === 0 ? [] : tableOf(['ENDPOINT', 'ACCOUNT', 'STATE', 'URL'], rows));
}

async function showEndpoint(tools: CommandServices, id: string): Promise<void> {
  const found = await find(tools, id);
  const deliveries = await tools.stores.webhookDeliveries.list(id, { limit: SHOWN_DELIVERIES });
  const { endpoint, account } = found;
  const facts = [
    ['endpoint', id],
    ['account', account.email],
    ['url', endpoint.url],
    ['state', stateOf(endpoint)],
    ['kinds', endpoint.kinds.join(', ')],
    ['description', endpoint.description],
  ].map(([name = '', value = '']) => `${name.padEnd(12)}${value}`.trimEnd());
  const table = tableOf(['EVENT', 'KIND', 'STATE', 'TRIES', 'STATUS'], deliveries.map(rowOf));
  show({ ...viewOf(found), deliveries }, deliveries.length === 0 ? facts : [...facts, '', ...table]);
}

async function disable(tools: CommandServices, id: string): Promise<void> {
  const { account } = await find(tools, id);
  await tools.services.actors.run(account.id, OPERATOR, (current, at) =>
    editEndpoint(current, id, { enabled: false, by: 'operator' }, at),
  );
  show({ id, enabled: false }, `The endpoint ${id} is disabled.`);
}

async function find({ stores: { accounts } }: CommandServices, id: string): Promise<Found> {
  return (await findEndpoint(accounts, id)) ?? fail(`There is no webhook endpoint "${id}".`);
}

/** Returns the endpoint without the values from which its secrets are derived. */
function viewOf({ account: { id: accountId, email }, endpoint }: Found) {
  const { id, url, kinds, description, enabled, disabledReason, createdAtMs } = endpoint;
  const createdAt = new Date(createdAtMs);
  return { id, account: { id: accountId, email }, url, kinds, description, enabled, disabledReason, createdAt };
}

function stateOf({ enabled, disabledReason }: Endpoint): string {
  return enabled ? 'enabled' : `disabled (${disabledReason})`;
}

function rowOf({ eventId, kind, status, tries, lastTry }: Delivery): string[] {
  return [eventId, kind, status, String(tries), lastTry ? String(lastTry.httpStatus ?? lastTry.response) : '-'];
}
