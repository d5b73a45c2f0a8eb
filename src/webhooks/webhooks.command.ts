// Commands about webhook endpoints (`npm run webhooks --`). They may run beside the service.
import { Option } from 'commander';
import { allAccounts } from '../accounts/account-listing.js';
import { openCommandServices, type CommandServices } from '../platform/command-line/open-services.js';
import { fail, limitOption, show, tableOf, withTools, type Subcommand } from '../platform/command-line/command.js';
import { SHOWN_DELIVERIES } from './delivery.js';
import { editEndpoint, findEndpoint, webhooksOf } from './endpoint.js';

const OPERATOR = { kind: 'operator', address: null } as const;
const withServices = withTools(openCommandServices);

export default [
  {
    name: 'list',
    help: 'List webhook endpoints.',
    options: [limitOption(100), new Option('--account <account>', 'only of this account')],
    run: withServices(list),
  },
  { name: 'show <endpoint>', help: 'Show an endpoint and its latest deliveries.', run: withServices(showEndpoint) },
  {
    name: 'disable <endpoint>',
    help: 'Stop sending events to an endpoint. Its owner gets a mail, and can enable it again.',
    run: withServices(disable),
  },
] satisfies readonly Subcommand[];

async function list(
  { services, stores }: CommandServices,
  { limit, account: emailOrId }: { readonly limit: number; readonly account?: string },
): Promise<void> {
  const accounts = emailOrId === undefined ? allAccounts(stores.accounts) : [await services.operator.find(emailOrId)];
  const views: View[] = [];
  for await (const account of accounts) {
    views.push(...webhooksOf(account).endpoints.map((endpoint) => viewOf({ account, endpoint })));
    if (views.length >= limit) break;
  }
  const shown = views.slice(0, limit);
  const rows = shown.map((view) => [view.id, view.account.email, stateOf(view), view.url]);
  show(shown, rows.length === 0 ? [] : tableOf(['ENDPOINT', 'ACCOUNT', 'STATE', 'URL'], rows));
}

async function showEndpoint({ stores }: CommandServices, id: string): Promise<void> {
  const view = viewOf(await found(stores, id));
  const deliveries = await stores.webhookDeliveries.list(id, { limit: SHOWN_DELIVERIES });
  const facts = [
    `endpoint    ${id}`,
    `account     ${view.account.email}`,
    `url         ${view.url}`,
    `state       ${stateOf(view)}`,
    `kinds       ${view.kinds.join(', ')}`,
    `description ${view.description}`.trimEnd(),
  ];
  const rows = deliveries.map(({ eventId, kind, status, tries, lastTry }) => {
    const outcome = lastTry ? String(lastTry.httpStatus ?? lastTry.response) : '-';
    return [eventId, kind, status, String(tries), outcome];
  });
  const table = tableOf(['EVENT', 'KIND', 'STATE', 'TRIES', 'STATUS'], rows);
  show({ ...view, deliveries }, deliveries.length === 0 ? facts : [...facts, '', ...table]);
}

async function disable({ services, stores }: CommandServices, id: string): Promise<void> {
  const { account } = await found(stores, id);
  await services.actors.run(account.id, OPERATOR, (current, at) =>
    editEndpoint(current, id, { enabled: false, by: 'operator' }, at),
  );
  show({ id, enabled: false }, `The endpoint ${id} is disabled.`);
}

async function found({ accounts }: CommandServices['stores'], id: string) {
  return (await findEndpoint(accounts, id)) ?? fail(`There is no webhook endpoint "${id}".`);
}

/** Returns the endpoint without the values from which its secrets are derived. */
function viewOf({ account: { id: accountId, email }, endpoint }: Awaited<ReturnType<typeof found>>) {
  const { id, url, kinds, description, enabled, disabledReason, createdAtMs } = endpoint;
  const createdAt = new Date(createdAtMs);
  return { id, account: { id: accountId, email }, url, kinds, description, enabled, disabledReason, createdAt };
}

type View = ReturnType<typeof viewOf>;

function stateOf({ enabled, disabledReason }: View): string {
  return enabled ? 'enabled' : `disabled (${disabledReason})`;
}
