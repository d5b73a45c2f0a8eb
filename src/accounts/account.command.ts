// Operator commands about accounts (`npm run account --`): create, list, show, change. They can be used while the
// service runs, because the service reads the changed accounts on the next request.
import { resolve } from 'node:path';
import { Option } from 'commander';
import { isCluster } from '../../config/env.js';
import { isLoopback } from '../../config/urls.js';
import { openCommandServices } from '../platform/command-line/open-services.js';
import type { Account } from './account.js';
import { isOpen } from './subscription.js';
import { parseEmail } from './email.js';
import { TIERS, type Tier } from './plan.js';
import { USAGE_KEPT_DAYS } from '../platform/utc-day.js';
import { MAX_RANKED } from './account-listing.js';
import type { OpenCheckouts, Operator, ResetLink } from './operator.js';
import { accountLines, accountTable, detailedViewOf, viewOf } from './account-view.command.js';
import {
  EXIT_USAGE,
  fail,
  limitOption,
  parseCount,
  printError,
  readCommandEnv,
  show,
  withTools,
  type Subcommand,
} from '../platform/command-line/command.js';

const LIST_LIMIT = 100;
/** Number of days for which `--sort used` counts requests. */
const USED_DAYS = 30;

const withOperator = withTools(openCommandServices);

export default [
  {
    name: 'create <email>',
    help: 'Create an account. Prints its API key and a link for setting a password.',
    options: [new Option('--tier <tier>', 'tier of the account').choices(TIERS).default('free')],
    run: create,
  },
  {
    name: 'list',
    help: 'List accounts, by ID or by usage.',
    options: [
      limitOption(LIST_LIMIT),
      new Option('--page <n>', 'page number').argParser(parseCount).default(1),
      new Option('--sort <order>', 'id, or used: accounts with the most counted requests first')
        .choices(['id', 'used'])
        .default('id'),
      new Option('--days <n>', 'with --sort used: number of days to count, including today')
        .argParser(parseCount)
        .default(USED_DAYS),
    ],
    run: list,
  },
  {
    name: 'show <account>',
    help: "Show an account with its key, today's usage, sessions and latest security events.",
    run: withOperator(async ({ services: { operator }, now }, emailOrId: string) => {
      const account = await operator.find(emailOrId);
      const [events, usage] = [await operator.recentEvents(account.id), await operator.usageToday(account)];
      const view = detailedViewOf({ account, events, usage }, new Date(now()));
      show(view, accountLines(view));
    }),
  },
  {
    name: 'set-tier <account> <tier>',
    help:
      'Set the tier from the next request on, regardless of the subscription. none: let the subscription decide ' +
      'again.',
    choices: { tier: [...TIERS, 'none'] },
    run: change(async (operator, { id, email }, tier: Tier | 'none') => {
      warnOfOpenCheckouts(await operator.setTier(id, tier === 'none' ? null : tier));
      const current = operator.tierOf(await operator.find(id));
      return `${email} now has the tier ${current}${tier === 'none' ? ', decided by its subscription' : ''}.`;
    }),
  },
  {
    name: 'set-email <account> <address>',
    help:
      'Change the e-mail address immediately. Both addresses get an e-mail; the one to the new address has a link ' +
      'to verify it.',
    run: change(async (operator, { id, email }, address: string) => {
      const newEmail = emailIn(address);
      await operator.setEmail(id, newEmail);
      return `The e-mail address of ${id} was changed from ${email} to ${newEmail}.`;
    }),
  },
  {
    name: 'suspend <account>',
    help: 'Reject the API key and sign-ins of the account until `resume`.',
    run: change(async (operator, { id, email, billing }) => {
      warnOfOpenCheckouts(await operator.suspend(id));
      if (billing?.subscription && isOpen(billing.subscription))
        printError(
          `The subscription ${billing.subscription.id} continues and is still charged. To end it, cancel it in ` +
            'Stripe.',
        );
      return `${email} is suspended.`;
    }),
  },
  {
    name: 'resume <account>',
    help: 'Lift the suspension of an account.',
    run: change(async (operator, { id, email }) => {
      await operator.resume(id);
      return `${email} is active.`;
    }),
  },
  {
    name: 'revoke-key <account>',
    help: 'Revoke the API key. Only the owner of the account can create a new one.',
    run: change(async (operator, { id, email }) => {
      const revoked = await operator.revokeKey(id);
      return { text: revoked ? `The key of ${email} is revoked.` : `${email} has no key.`, revoked };
    }),
  },
  {
    name: 'revoke-publishable-key <account> <id>',
    help: 'Revoke a publishable key. `show` lists them.',
    run: change(async (operator, { id, email }, keyId: string) => {
      const revoked = await operator.revokePublishableKey(id, keyId);
      if (!revoked) fail(`${email} has no publishable key ${keyId}.`);
      return { text: `The publishable key ${keyId} of ${email} is revoked.`, revoked };
    }),
  },
  {
    name: 'logout-all <account>',
    help: 'End all sessions of an account.',
    run: change(async (operator, { id, email }) => {
      const endedSessions = await operator.logoutAll(id);
      return { text: `${email} is signed out everywhere. Sessions ended: ${endedSessions}.`, endedSessions };
    }),
  },
  {
    name: 'unlock <account>',
    help: 'Allow sign-ins again that are blocked after too many wrong passwords.',
    run: change(async (operator, account) => {
      await operator.unlock(account);
      return `${account.email} can sign in again.`;
    }),
  },
  {
    name: 'reset-link <account>',
    help: 'Print a link for setting a new password. No e-mail is sent: pass the link to the owner.',
    run: change(async (operator, { id }) => {
      const resetLink = await operator.resetLink(id);
      warnOfLocalLink(resetLink);
      return { text: linkText(resetLink), resetLink };
    }),
  },
  {
    name: 'delete <account>',
    help: 'Delete an account and its data. Its security events are kept. The owner gets an e-mail.',
    options: [new Option('--yes', 'confirm the deletion, which cannot be undone').makeOptionMandatory()],
    run: withOperator(async ({ services: { operator, accountContext } }, emailOrId: string) => {
      const account = await operator.find(emailOrId);
      await operator.delete(account);
      // The mail about the deletion is not stored, so the command must not end before it is sent.
      await accountContext.background.settle();
      const service = servedAddress();
      const deleted = { id: account.id, email: account.email };
      show({ deleted, service }, [`${account.email} was deleted.`, serviceText(service)]);
    }),
  },
] satisfies readonly Subcommand[];

/**
 * Defines a command that changes an account. `run` returns a sentence to print, or an object with that sentence in
 * `text` and further fields for `--json`.
 */
function change<Given extends readonly unknown[]>(
  run: (
    operator: Operator,
    account: Account,
    ...given: Given
  ) => Promise<string | ({ readonly text: string } & Readonly<Record<string, unknown>>)>,
) {
  return withOperator(async ({ services: { operator }, now }, emailOrId: string, ...given: Given) => {
    const found = await operator.find(emailOrId);
    const outcome = await run(operator, found, ...given);
    const { text, ...facts } = typeof outcome === 'string' ? { text: outcome } : outcome;
    const service = servedAddress();
    const view = viewOf(await operator.find(found.id), new Date(now()));
    show({ account: view, service, ...facts }, [text, serviceText(service)]);
  });
}

interface ListFlags {
  readonly limit: number;
  readonly page: number;
  readonly sort: 'id' | 'used';
  readonly days: number;
}

async function list(flags: ListFlags): Promise<void> {
  const { limit, page, sort, days } = flags;
  if (days > USAGE_KEPT_DAYS) fail(`--days must be at most ${USAGE_KEPT_DAYS}: older usage is deleted.`, EXIT_USAGE);
  if (sort === 'used' && page * limit >= MAX_RANKED)
    fail(`With --sort used, --page times --limit must be less than ${MAX_RANKED}.`, EXIT_USAGE);
  await withOperator(async ({ services: { operator }, now }) => {
    const at = new Date(now());
    const { rows, hasMore } = await (sort === 'id' ? operator.list(flags) : operator.listByUse(flags));
    const views = rows.map((row) =>
      'requests' in row ? { ...viewOf(row.account, at), requests: row.requests } : viewOf(row, at),
    );
    show(views, accountTable(views));
    if (hasMore) printError('There are more accounts. Use --limit and --page to see them.');
  })();
}

/** Creates an account. Checks the e-mail address first, because the next steps may create the database. */
async function create(text: string, { tier }: { readonly tier: Tier }): Promise<void> {
  readCommandEnv();
  const email = emailIn(text);
  const inNewDatabase = withTools(openCommandServices, 'create');
  await inNewDatabase(async ({ services: { operator }, now }) => {
    const { account, apiKey, resetLink } = await operator.create(email, tier);
    warnOfLocalLink(resetLink);
    const service = servedAddress();
    show({ account: viewOf(account, new Date(now())), service, apiKey, resetLink }, [
      `Created ${account.email} (${account.id}), tier ${tier}.`,
      `API key, shown only once: ${apiKey}`,
      linkText(resetLink),
      serviceText(service),
    ]);
  })();
}

/** Returns PUBLIC_URL, the start of all links. The links work only if the service runs with the same PUBLIC_URL. */
function servedAddress(): string {
  return readCommandEnv().PUBLIC_URL;
}

function serviceText(address: string): string {
  const env = readCommandEnv();
  return `Service: ${address}, ${isCluster(env) ? 'in the cluster of MONGODB_URI' : `with its data in ${resolve(env.DATA_DIR)}`}`;
}

function emailIn(text: string): string {
  return parseEmail(text) ?? fail(`"${text}" is not an e-mail address.`);
}

function linkText({ address, expiresAt }: ResetLink): string {
  return `Link for setting a password, valid once and until ${expiresAt.toISOString()}: ${address}`;
}

function warnOfOpenCheckouts(open: OpenCheckouts | undefined): void {
  if (open)
    printError(
      `Open checkouts of the Stripe customer ${open.customerId} could not be closed and can still be paid: ` +
        `${open.reason} Run this command again, or close them in Stripe.`,
    );
}

/** Warns if the link leads to localhost. This is the case if PUBLIC_URL is not set. */
function warnOfLocalLink({ address }: ResetLink): void {
  const { host, hostname } = new URL(address);
  if (isLoopback(hostname))
    printError(
      `The link points to ${host}, so it works on this machine only. Set PUBLIC_URL to the same value that the ` +
        'service uses.',
    );
}
