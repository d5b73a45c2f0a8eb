// Commands about billing (`npm run billing --`): sync accounts with the payment provider, list and replay its events. May
// run beside the service.
import type { OperatorTools } from '../compose/operator-tools.js';
import type { Account } from '../domain/account/account.js';
import { AppError } from '../errors.js';
import type { StoredPaymentEvent } from '../services/billing/payment-events.js';
import {
  createProgram,
  fail,
  json,
  parseCount,
  print,
  printError,
  printJson,
  printTable,
  type JsonFlag,
} from './command.js';
import { withOperatorTools } from './operator-command.js';

const PAGE = 500;
const EVENTS_LIMIT = 50;

interface EventsFlags extends JsonFlag {
  readonly limit: number;
  readonly account?: string;
}

interface SyncFlags extends JsonFlag {
  readonly all?: true;
}

const program = createProgram(
  'billing',
  'Subscriptions and payment events. <account> is an e-mail address or an id. May run beside the service.',
);

program
  .command('sync [account]')
  .description('Take over the subscription of an account, or of all, as Stripe has it now.')
  .option('--all', 'all accounts that ever bought')
  .addOption(json())
  .action((emailOrId: string | undefined, flags: SyncFlags) =>
    withOperatorTools((tools) => sync(tools, emailOrId, flags)),
  );

program
  .command('events')
  .description('List the latest events of Stripe, newest first, and what became of them.')
  .option('--limit <n>', 'at most this many', parseCount, EVENTS_LIMIT)
  .option('--account <account>', 'only of this account')
  .addOption(json())
  .action((flags: EventsFlags) => withOperatorTools((tools) => listEvents(tools, flags)));

program
  .command('replay <event>')
  .description('Process an event again, by its id.')
  .addOption(json())
  .action((id: string, flags: JsonFlag) => withOperatorTools((tools) => replay(tools, id, flags)));

export default program;

async function sync(tools: OperatorTools, emailOrId: string | undefined, flags: SyncFlags): Promise<void> {
  assertConfigured(tools);
  if ((emailOrId === undefined) !== (flags.all === true)) fail('Give an account, or --all.');
  const outcome = emailOrId === undefined ? await syncAll(tools) : await syncOne(tools, emailOrId);
  if (flags.json === true) printJson(outcome);
  else if ('tier' in outcome) print(`${outcome.email} has the tier ${outcome.tier}.`);
  else print(`Synced ${outcome.synced} accounts; ${outcome.changed} have another tier now.`);
}

async function syncOne({ operator, billing }: OperatorTools, emailOrId: string) {
  const account = await operator.find(emailOrId);
  if (!account.billing) fail(`${account.email} has never bought anything.`);
  await billing.sync(account.id);
  const { email, tier } = await operator.find(account.id);
  return { email, tier };
}

async function syncAll({ accounts, billing }: OperatorTools) {
  let [synced, changed] = [0, 0];
  let page: readonly Account[] = [];
  do {
    const last = page.at(-1);
    page = await accounts.list({ ...(last && { after: last.id }), limit: PAGE });
    for (const { id, tier, billing: known, deleting } of page) {
      if (!known || deleting) continue;
      await billing.sync(id).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      });
      synced++;
      if ((await accounts.find(id))?.tier !== tier) changed++;
      if (synced % PAGE === 0) printError(`${synced} accounts are synced …`);
    }
  } while (page.length === PAGE);
  return { synced, changed };
}

async function listEvents({ operator, paymentEvents }: OperatorTools, { limit, account, ...flags }: EventsFlags) {
  const customerId = account === undefined ? undefined : (await operator.find(account)).billing?.customerId;
  if (account !== undefined && customerId === undefined) fail(`${account} has never bought anything.`);
  const events = await paymentEvents.latest({ limit, ...(customerId !== undefined && { customerId }) });
  const unfinished = await paymentEvents.unfinished();
  if (flags.json === true) {
    printJson({ events, unfinished });
    return;
  }
  printTable(
    ['RECEIVED', 'EVENT', 'TYPE', 'CUSTOMER', 'OUTCOME'],
    events.map((event) => [
      event.receivedAt.toISOString().slice(0, 19).replace('T', ' '),
      event.id,
      event.type,
      event.customerId ?? '-',
      outcomeOf(event),
    ]),
  );
  if (unfinished > 0) print(`Not finished: ${unfinished}.`);
}

function outcomeOf({ finishedAt, tries, error }: StoredPaymentEvent): string {
  if (finishedAt) return 'done';
  return error === null ? 'waiting' : `tried ${tries} times: ${error}`;
}

async function replay(tools: OperatorTools, id: string, flags: JsonFlag): Promise<void> {
  const { paymentEvents, paymentEventProcessing, now } = tools;
  assertConfigured(tools);
  if (!(await paymentEvents.replay(id, new Date(now())))) fail(`There is no event "${id}".`);
  const finished = await paymentEventProcessing.drain();
  const events = await paymentEvents.unfinished();
  if (flags.json === true) printJson({ finished, unfinished: events });
  else print(`Events finished: ${finished}; not finished: ${events}.`);
}

function assertConfigured({ isBillingConfigured }: OperatorTools): void {
  if (!isBillingConfigured) fail('Billing is not set up: STRIPE_SECRET_KEY is not set here.');
}
