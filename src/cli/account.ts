// `npm run account --`: create, look at and change accounts. May be used beside a running service, which acts on it at
// once.
import { Command, Option } from 'commander';
import type { OperatorTools } from '../compose/operator-tools.js';
import type { Account } from '../domain/account/account.js';
import { parseEmail } from '../domain/account/email.js';
import { TIERS, type Tier } from '../domain/metering/plan.js';
import type { Operator, ResetLink } from '../services/accounts/operator.js';
import { closeViewOf, printAccount, printAccounts, viewOf } from './account-view.js';
import { explain, fail, json, parseCount, print, printJson, type JsonFlag } from './command.js';
import { withOperatorTools } from './operator-command.js';

const LIST_LIMIT = 100;

interface CreateFlags extends JsonFlag {
  readonly tier: Tier;
}

interface ListFlags extends JsonFlag {
  readonly limit: number;
}

/** What a command did: for people, and for programs beside the account. */
interface Outcome {
  readonly text: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

const program = new Command('npm run account --').description(
  'Accounts: create, look at, change. <account> is an e-mail address or an id. Beside a running service too.',
);

program
  .command('create <email>')
  .description('An account; prints its API key, once, and a link for the owner to set a password.')
  .addOption(new Option('--tier <tier>', 'what it may use').choices(TIERS).default('free'))
  .addOption(json())
  .action((email: string, flags: CreateFlags) => withOperatorTools((tools) => create(tools, email, flags)));

program
  .command('list')
  .description('Accounts, by id.')
  .option('--limit <n>', 'at most this many', parseCount, LIST_LIMIT)
  .addOption(json())
  .action((flags: ListFlags) => withOperatorTools((tools) => list(tools, flags)));

program
  .command('show <account>')
  .description('One account: its sessions, and what happened last.')
  .addOption(json())
  .action((words: string, flags: JsonFlag) => withOperatorTools((tools) => show(tools, words, flags)));

program
  .command('set-tier <account> <tier>')
  .description(`Another tier (${TIERS.join(', ')}), from the next request on.`)
  .addOption(json())
  .action((words: string, tier: string, flags: JsonFlag) =>
    change(words, flags, async (operator, { id, email }) => {
      const known =
        TIERS.find((one) => one === tier) ?? fail(`There is no tier "${tier}"; there are ${TIERS.join(', ')}.`);
      await operator.setTier(id, known);
      return { text: `${email} has the tier ${known}.` };
    }),
  );

command('suspend', 'Refuses its key and its sign-ins until `resume`.', async (operator, { id, email }) => {
  await operator.suspend(id);
  return { text: `${email} is suspended.` };
});

command('resume', 'Takes a suspension back.', async (operator, { id, email }) => {
  await operator.resume(id);
  return { text: `${email} is active.` };
});

command('revoke-key', 'Its API key stops working; the owner can make another.', async (operator, { id, email }) => {
  const revoked = await operator.revokeKey(id);
  return { text: revoked ? `The key of ${email} is revoked.` : `${email} has no key.`, facts: { revoked } };
});

command('logout-all', 'Ends all its sessions.', async (operator, { id, email }) => {
  const endedSessions = await operator.logoutAll(id);
  return { text: `${email} is signed out everywhere; sessions ended: ${endedSessions}.`, facts: { endedSessions } };
});

command(
  'unlock',
  'Lets sign-ins through again that are refused after too many wrong passwords.',
  async (operator, account) => {
    await operator.unlock(account);
    return { text: `${account.email} may sign in again.` };
  },
);

command(
  'reset-link',
  'Prints a link to set another password, to be handed to the owner; no mail is sent.',
  async (operator, { id }) => {
    const resetLink = await operator.resetLink(id);
    return { text: linkText(resetLink), facts: { resetLink } };
  },
);

program
  .command('delete <account>')
  .description('Removes an account and all that is kept of it but its security events.')
  .requiredOption('--yes', 'really: there is no way back')
  .addOption(json())
  .action((words: string, flags: JsonFlag) =>
    withOperatorTools(async ({ operator }) => {
      const account = await operator.find(words);
      await operator.delete(account);
      if (flags.json === true) printJson({ deleted: { id: account.id, email: account.email } });
      else print(`${account.email} is deleted.`);
    }),
  );

await program.parseAsync();

/** A command whose only argument is the account. */
function command(
  name: string,
  description: string,
  run: (operator: Operator, account: Account) => Promise<Outcome>,
): void {
  program
    .command(`${name} <account>`)
    .description(description)
    .addOption(json())
    .action((words: string, flags: JsonFlag) => change(words, flags, run));
}

function change(
  words: string,
  flags: JsonFlag,
  run: (operator: Operator, account: Account) => Promise<Outcome>,
): Promise<void> {
  return withOperatorTools(async ({ operator, now }) => {
    const found = await operator.find(words);
    const { text, facts } = await run(operator, found);
    if (flags.json === true) printJson({ account: viewOf(await operator.find(found.id), new Date(now())), ...facts });
    else print(text);
  });
}

async function create({ operator, now }: OperatorTools, text: string, { tier, ...flags }: CreateFlags): Promise<void> {
  const email = parseEmail(text) ?? fail(`"${text}" is not an e-mail address.`);
  const { account, apiKey, resetLink } = await operator.create(email, tier);
  if (flags.json === true) {
    printJson({ account: viewOf(account, new Date(now())), apiKey, resetLink });
    return;
  }
  print(`${account.email} (${account.id}) is created, tier ${tier}.`);
  print(`API key, shown this once: ${apiKey}`);
  print(linkText(resetLink));
}

async function list({ operator, now }: OperatorTools, { limit, ...flags }: ListFlags): Promise<void> {
  const found = await operator.list(limit + 1);
  const accounts = found.slice(0, limit);
  if (flags.json === true) printJson(accounts.map((account) => viewOf(account, new Date(now()))));
  else printAccounts(accounts);
  if (found.length > limit) explain('There are more; see --limit.');
}

async function show({ operator, now }: OperatorTools, words: string, flags: JsonFlag): Promise<void> {
  const account = await operator.find(words);
  const view = closeViewOf(account, await operator.recentEvents(account.id), new Date(now()));
  if (flags.json === true) printJson(view);
  else printAccount(view, account);
}

function linkText({ address, expiresAt }: ResetLink): string {
  return `Link to set a password, good once, until ${expiresAt.toISOString()}: ${address}`;
}
