// Commands about accounts (`npm run account --`): create, list, show, change. May run beside the service, which applies
// each change from its next request on.
import { Option } from 'commander';
import type { OperatorTools } from '../compose/operator-tools.js';
import type { Account } from '../domain/account/account.js';
import { isOpen } from '../domain/billing/subscription.js';
import { parseEmail } from '../domain/account/email.js';
import { TIERS, type Tier } from '../domain/metering/plan.js';
import type { OpenCheckouts, Operator, ResetLink } from '../services/accounts/operator.js';
import { detailedViewOf, printAccount, printAccounts, viewOf } from './account-view.js';
import {
  createProgram,
  fail,
  json,
  parseCount,
  print,
  printError,
  printJson,
  runCommand,
  type JsonFlag,
} from './command.js';
import { withOperatorTools } from './operator-command.js';

const LIST_LIMIT = 100;
/** Hosts of links that work on this machine only. */
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

interface CreateFlags extends JsonFlag {
  readonly tier: Tier;
}

interface ListFlags extends JsonFlag {
  readonly limit: number;
}

/** The result of a change: a sentence, and fields beside the account in JSON. */
interface Outcome {
  readonly text: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

const program = createProgram(
  'account',
  'Create, list, show and change accounts. <account> is an e-mail address or an id. May run beside the service.',
);

program
  .command('create <email>')
  .description('Create an account; print its API key, once, and a link to choose a password.')
  .addOption(new Option('--tier <tier>', 'its limits').choices(TIERS).default('free'))
  .addOption(json())
  .action((email: string, flags: CreateFlags) => create(email, flags));

program
  .command('list')
  .description('List accounts, by id.')
  .option('--limit <n>', 'at most this many', parseCount, LIST_LIMIT)
  .addOption(json())
  .action((flags: ListFlags) => withOperatorTools((tools) => list(tools, flags)));

program
  .command('show <account>')
  .description("Show an account: key, today's usage, sessions, latest security events.")
  .addOption(json())
  .action((emailOrId: string, flags: JsonFlag) => withOperatorTools((tools) => show(tools, emailOrId, flags)));

program
  .command('set-tier <account> <tier>')
  .description(
    `Set the tier (${TIERS.join(', ')}), whatever is bought, from the next request on; none: the subscription decides.`,
  )
  .addOption(json())
  .action((emailOrId: string, tier: string, flags: JsonFlag) =>
    change(emailOrId, flags, async (operator, { id, email }) => {
      const known =
        [...TIERS, 'none' as const].find((one) => one === tier) ??
        fail(`There is no tier "${tier}"; there are ${TIERS.join(', ')}; and none, for what is bought.`);
      warnOfOpenCheckouts(await operator.setTier(id, known === 'none' ? null : known));
      const { tier: current } = await operator.find(id);
      return {
        text: `${email} has the tier ${current}${known === 'none' ? ', by its subscription or for free' : ''}.`,
      };
    }),
  );

program
  .command('set-email <account> <address>')
  .description('Change its e-mail address at once; both addresses get a mail, the new one with a link to verify it.')
  .addOption(json())
  .action((emailOrId: string, address: string, flags: JsonFlag) => {
    const newEmail = parseEmail(address);
    if (newEmail === undefined) return runCommand(async () => fail(`"${address}" is not an e-mail address.`));
    return change(emailOrId, flags, async (operator, { id, email }) => {
      await operator.setEmail(id, newEmail);
      return { text: `The e-mail address of ${id} is ${newEmail}; it was ${email}.` };
    });
  });

changeCommand(
  'suspend',
  'Reject its API key and sign-ins until `resume`.',
  async (operator, { id, email, billing }) => {
    warnOfOpenCheckouts(await operator.suspend(id));
    if (billing?.subscription && isOpen(billing.subscription))
      printError(`Its subscription ${billing.subscription.id} goes on and is paid: end it in Stripe if that is meant.`);
    return { text: `${email} is suspended.` };
  },
);

changeCommand('resume', 'End a suspension.', async (operator, { id, email }) => {
  await operator.resume(id);
  return { text: `${email} is active.` };
});

changeCommand(
  'revoke-key',
  'Revoke its API key; only the owner can create another.',
  async (operator, { id, email }) => {
    const revoked = await operator.revokeKey(id);
    return { text: revoked ? `The key of ${email} is revoked.` : `${email} has no key.`, facts: { revoked } };
  },
);

program
  .command('revoke-publishable-key <account> <id>')
  .description('Revoke one of its publishable keys; `show` lists them.')
  .addOption(json())
  .action((emailOrId: string, keyId: string, flags: JsonFlag) =>
    change(emailOrId, flags, async (operator, { id, email }) => {
      const revoked = await operator.revokePublishableKey(id, keyId);
      if (!revoked) fail(`${email} has no publishable key ${keyId}.`);
      return { text: `The publishable key ${keyId} of ${email} is revoked.`, facts: { revoked } };
    }),
  );

changeCommand('logout-all', 'End all its sessions.', async (operator, { id, email }) => {
  const endedSessions = await operator.logoutAll(id);
  return { text: `${email} is signed out everywhere; sessions ended: ${endedSessions}.`, facts: { endedSessions } };
});

changeCommand('unlock', 'Allow sign-ins again after too many wrong passwords.', async (operator, account) => {
  await operator.unlock(account);
  return { text: `${account.email} may sign in again.` };
});

changeCommand(
  'reset-link',
  'Print a link to choose a new password, to hand to the owner; no mail is sent.',
  async (operator, { id }) => {
    const resetLink = await operator.resetLink(id);
    warnOfLocalLink(resetLink);
    return { text: linkText(resetLink), facts: { resetLink } };
  },
);

program
  .command('delete <account>')
  .description('Delete an account and its data; its security events are kept.')
  .requiredOption('--yes', 'confirm: a deletion cannot be undone')
  .addOption(json())
  .action((emailOrId: string, flags: JsonFlag) =>
    withOperatorTools(async ({ operator }) => {
      const account = await operator.find(emailOrId);
      await operator.delete(account);
      if (flags.json === true) printJson({ deleted: { id: account.id, email: account.email } });
      else print(`${account.email} is deleted.`);
    }),
  );

export default program;

/** A command whose only argument is the account. */
function changeCommand(
  name: string,
  description: string,
  run: (operator: Operator, account: Account) => Promise<Outcome>,
): void {
  program
    .command(`${name} <account>`)
    .description(description)
    .addOption(json())
    .action((emailOrId: string, flags: JsonFlag) => change(emailOrId, flags, run));
}

function change(
  emailOrId: string,
  flags: JsonFlag,
  run: (operator: Operator, account: Account) => Promise<Outcome>,
): Promise<void> {
  return withOperatorTools(async ({ operator, now }) => {
    const found = await operator.find(emailOrId);
    const { text, facts } = await run(operator, found);
    if (flags.json === true) printJson({ account: viewOf(await operator.find(found.id), new Date(now())), ...facts });
    else print(text);
  });
}

/** The e-mail address is checked first, since the rest may create a database. */
function create(text: string, { tier, ...flags }: CreateFlags): Promise<void> {
  const email = parseEmail(text);
  if (email === undefined) return runCommand(async () => fail(`"${text}" is not an e-mail address.`));
  return withOperatorTools(async ({ operator, now }) => {
    const { account, apiKey, resetLink } = await operator.create(email, tier);
    warnOfLocalLink(resetLink);
    if (flags.json === true) {
      printJson({ account: viewOf(account, new Date(now())), apiKey, resetLink });
      return;
    }
    print(`Created ${account.email} (${account.id}), tier ${tier}.`);
    print(`API key, shown only once: ${apiKey}`);
    print(linkText(resetLink));
  }, 'create');
}

async function list({ operator, now }: OperatorTools, { limit, ...flags }: ListFlags): Promise<void> {
  const found = await operator.list(limit + 1);
  const accounts = found.slice(0, limit);
  if (flags.json === true) printJson(accounts.map((account) => viewOf(account, new Date(now()))));
  else printAccounts(accounts);
  if (found.length > limit) printError('There are more; see --limit.');
}

async function show({ operator, now }: OperatorTools, emailOrId: string, flags: JsonFlag): Promise<void> {
  const account = await operator.find(emailOrId);
  const [events, usage] = [await operator.recentEvents(account.id), await operator.usageToday(account)];
  const view = detailedViewOf({ account, events, usage }, new Date(now()));
  if (flags.json === true) printJson(view);
  else printAccount(view, account);
}

function linkText({ address, expiresAt }: ResetLink): string {
  return `Link to choose a password, valid once, until ${expiresAt.toISOString()}: ${address}`;
}

function warnOfOpenCheckouts(open: OpenCheckouts | undefined): void {
  if (open)
    printError(
      `Open checkouts of its customer ${open.customerId} could not be closed and may still be paid: ${open.reason} ` +
        'Repeat this command, or close them in Stripe.',
    );
}

/** Without PUBLIC_URL, links lead to localhost. */
function warnOfLocalLink({ address }: ResetLink): void {
  const { host, hostname } = new URL(address);
  if (LOOPBACK_HOSTS.includes(hostname))
    printError(
      `The link leads to ${host} and works on this machine only: set PUBLIC_URL to the address of the service, ` +
        'as the service has it.',
    );
}
