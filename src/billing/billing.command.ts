// Operator commands about billing (`npm run billing --`): sync accounts with the payment provider, list events, process
// an event again. They can be used while the service runs.
import { Option } from 'commander';
import { openCommandServices, type CommandServices } from '../platform/command-line/open-services.js';
import type { Account } from '../accounts/account.js';
import { ignoring } from '../platform/errors.js';
import type { StoredPaymentEvent } from './payment-events.js';
import {
  fail,
  limitOption,
  printError,
  show,
  tableOf,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';

const PAGE = 500;
const EVENTS_LIMIT = 50;

interface EventsFlags {
  readonly limit: number;
  readonly account?: string;
}

const withServices = withTools(openCommandServices);

export default [
  {
    name: 'sync [account]',
    help: 'Read the subscription of one account, or of all accounts, from Stripe and apply it.',
    options: [new Option('--all', 'all accounts that have ever bought a plan')],
    run: withServices(sync),
  },
  {
    name: 'events',
    help: 'List the latest Stripe events with their processing results, newest first.',
    options: [limitOption(EVENTS_LIMIT), new Option('--account <account>', 'only events of this account')],
    run: withServices(listEvents),
  },
  { name: 'replay <event>', help: 'Process a Stripe event again, by its ID.', run: withServices(replay) },
] satisfies readonly Subcommand[];

async function sync(
  tools: CommandServices,
  emailOrId: string | undefined,
  { all = false }: { readonly all?: boolean },
): Promise<void> {
  assertConfigured(tools);
  if ((emailOrId === undefined) !== all) fail('Specify an account, or --all.');
  if (emailOrId === undefined) {
    const { synced, changed } = await syncAll(tools);
    show({ synced, changed }, `Synced ${synced} accounts. The tier of ${changed} of them changed.`);
  } else {
    const account = await syncOne(tools, emailOrId);
    const [email, tier] = [account.email, tools.services.operator.tierOf(account)];
    show({ email, tier }, `${email} has the tier ${tier}.`);
  }
}

async function syncOne({ services: { operator, billing } }: CommandServices, emailOrId: string): Promise<Account> {
  const account = await operator.find(emailOrId);
  if (!account.billing) fail(`${account.email} has never bought a plan.`);
  await billing.sync(account.id);
  return operator.find(account.id);
}

async function syncAll({ stores: { accounts }, services: { billing, operator } }: CommandServices) {
  let [synced, changed] = [0, 0];
  let page: readonly Account[] = [];
  do {
    const last = page.at(-1);
    page = await accounts.list({ ...(last && { after: last.id }), limit: PAGE });
    for (const account of page) {
      const { id, billing: known, deleting } = account;
      if (!known || deleting) continue;
      const before = operator.tierOf(account);
      await billing.sync(id).catch(ignoring('not_found'));
      synced++;
      const synchronized = await accounts.find(id);
      if (!synchronized || operator.tierOf(synchronized) !== before) changed++;
      if (synced % PAGE === 0) printError(`Synced ${synced} accounts …`);
    }
  } while (page.length === PAGE);
  return { synced, changed };
}

async function listEvents(
  { services: { operator }, stores: { paymentEvents } }: CommandServices,
  { limit, account }: EventsFlags,
): Promise<void> {
  const customerId = account === undefined ? undefined : (await operator.find(account)).billing?.customerId;
  if (account !== undefined && customerId === undefined) fail(`${account} has never bought a plan.`);
  const events = await paymentEvents.latest({ limit, ...(customerId !== undefined && { customerId }) });
  const unfinished = await paymentEvents.unfinished();
  const rows = events.map((event) => [
    event.receivedAt.toISOString().slice(0, 19).replace('T', ' '),
    event.id,
    event.type,
    event.customerId ?? '-',
    outcomeOf(event),
  ]);
  const table = tableOf(['RECEIVED', 'EVENT', 'TYPE', 'CUSTOMER', 'OUTCOME'], rows);
  show({ events, unfinished }, unfinished > 0 ? [...table, `Not finished: ${unfinished}.`] : table);
}

function outcomeOf({ finishedAt, tries, error }: StoredPaymentEvent): string {
  if (finishedAt) return error ?? 'done';
  return error === null ? 'waiting' : `tried ${tries} times: ${error}`;
}

async function replay(tools: CommandServices, id: string): Promise<void> {
  const { paymentEvents } = tools.stores;
  assertConfigured(tools);
  if (!(await paymentEvents.replay(id, new Date(tools.now())))) fail(`There is no event "${id}".`);
  const finished = await tools.services.paymentEventProcessing.drain();
  const unfinished = await paymentEvents.unfinished();
  show({ finished, unfinished }, `Events finished: ${finished}; not finished: ${unfinished}.`);
}

function assertConfigured({ services: { isBillingConfigured } }: CommandServices): void {
  if (!isBillingConfigured) fail('Billing is not configured. Set STRIPE_SECRET_KEY.');
}
