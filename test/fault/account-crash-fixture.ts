// A process that changes accounts without end, and reports each change to its parent before it begins and when it is
// done.
import type { Change } from '../../src/domain/account/changes/change.js';
import { changePassword, regenerateKey } from '../../src/domain/account/changes/credentials.js';
import { resetPassword, sendLink } from '../../src/domain/account/changes/email-links.js';
import { endAllSessions, endSession, signIn } from '../../src/domain/account/changes/sessions.js';
import { setOperatorTier } from '../../src/domain/account/changes/billing.js';
import { setSuspended } from '../../src/domain/account/changes/status.js';
import type { Account, AccountId } from '../../src/domain/account/account.js';
import { AppError } from '../../src/errors.js';
import { randomBase62 } from '../../src/domain/text/base62.js';
import { linkToken } from '../../src/domain/account/email-link.js';
import { parseSessionToken } from '../../src/domain/account/session.js';
import { ownerRateLimitKeys } from '../../src/services/accounts/password-rate-limits.js';
import { openTestAccounts, PASSWORD, PASSWORD_HASH, someClient } from '../support/account-services.js';

/** What the parent knows of an account. */
export interface Known {
  readonly id: AccountId;
  readonly email: string;
}

export const CHANGES = [
  'regenerate',
  'regenerate-with-password',
  'sign-in',
  'sign-in-with-password',
  'end',
  'end-all',
  'change-password',
  'reset-password',
  'tier',
  'suspend',
  'resume',
] as const;
export type ChangeName = (typeof CHANGES)[number];

export interface Report {
  readonly id: AccountId;
  readonly change: ChangeName;
  readonly phase: 'begin' | 'done' | 'rejected';
  /** What it gave or took: a key, a session token, a tier. */
  readonly value?: string;
}

/** Undefined: not now. */
type Outcome = { readonly value?: string } | undefined;

/** Hashing would take all the time; each stands for a password of its own. */
const fakeHash = (): string => `$argon2id$${Math.random()}`;
const MOST_SESSIONS = 15;
const BY = { kind: 'customer', address: null } as const;
const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

function report(line: Report): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(line, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

async function work(dataDir: string, accounts: readonly Known[]): Promise<void> {
  const parts = await openTestAccounts({ dataDir });
  const run = <Result>(id: AccountId, decide: (account: Account, at: Date) => Change<Result>): Promise<Result> =>
    parts.actors.run(id, BY, decide);

  const origin = { userAgent: null, address: null };
  const maySignIn = ({ suspended, sessions }: Account): boolean => !suspended && sessions.length < MOST_SESSIONS;
  const knowsPassword = ({ password }: Account): boolean => password.hash === PASSWORD_HASH;
  const client = () => someClient({ budgetAddress: randomBase62(12) });

  async function regenerate({ id }: Account): Promise<Outcome> {
    return { value: (await run(id, (current, at) => regenerateKey(current, undefined, at))).raw };
  }

  async function regenerateWithPassword(account: Account): Promise<Outcome> {
    const [session] = account.sessions;
    if (!session || account.suspended || !knowsPassword(account)) return undefined;
    return {
      value: (
        await parts.credentials.regenerateKey({
          caller: { account, session },
          currentPassword: PASSWORD,
          client: client(),
        })
      ).raw,
    };
  }

  async function signInAtOnce(account: Account): Promise<Outcome> {
    if (!maySignIn(account)) return undefined;
    return {
      value: (
        await run(account.id, (current, at) =>
          signIn(current, { passwordVersion: account.password.version, origin }, at),
        )
      ).token,
    };
  }

  async function signInWithPassword(account: Account): Promise<Outcome> {
    if (!maySignIn(account) || !knowsPassword(account)) return undefined;
    return {
      value: (await parts.signIn.signIn({ email: account.email, password: PASSWORD, client: client() })).sessionToken,
    };
  }

  async function end(account: Account, tokens: readonly string[]): Promise<Outcome> {
    const token = pick(tokens);
    const hash = token === undefined ? undefined : parseSessionToken(token)?.tokenHash;
    const session = account.sessions.find(({ tokenHash }) => tokenHash === hash);
    if (token === undefined || !session) return undefined;
    await run(account.id, (current, at) => endSession(current, session.id, at));
    return { value: token };
  }

  /** Of an unknown session, so that all known ones end. */
  async function change({ id, password: { version: passwordVersion } }: Account): Promise<Outcome> {
    await run(id, (current, at) => {
      const { account, result } = signIn({ ...current, suspended: false }, { passwordVersion, origin }, at);
      const changed = changePassword(
        account,
        { proof: { session: result.session.id, passwordVersion }, passwordHash: fakeHash() },
        at,
      );
      return { ...changed, account: { ...changed.account, suspended: current.suspended, sessions: [] } };
    });
    return {};
  }

  /** Back to the known password. */
  async function reset({ id }: Account): Promise<Outcome> {
    await run(id, (current, at) => sendLink(current, 'reset-password', at));
    const link = (await parts.accounts.find(id))?.links.find(({ purpose }) => purpose === 'reset-password');
    const [secret] = parts.linkSecrets;
    const token = link && linkToken(id, link, secret);
    await run(id, (current, at) =>
      resetPassword(current, { token: token ?? '', secrets: [secret], passwordHash: PASSWORD_HASH }, at),
    );
    return {};
  }

  const changes: Readonly<Record<ChangeName, (account: Account, tokens: readonly string[]) => Promise<Outcome>>> = {
    regenerate,
    'regenerate-with-password': regenerateWithPassword,
    'sign-in': signInAtOnce,
    'sign-in-with-password': signInWithPassword,
    end,
    'end-all': ({ id }) => run(id, (current, at) => endAllSessions(current, undefined, at)).then(() => ({})),
    'change-password': change,
    'reset-password': reset,
    async tier({ id, tier }) {
      const other = tier === 'pro' ? 'free' : 'pro';
      await run(id, (current, at) => setOperatorTier(current, other, at));
      return { value: other };
    },
    suspend: ({ id }) => run(id, (current) => setSuspended(current, true)).then(() => ({})),
    resume: ({ id }) => run(id, (current) => setSuspended(current, false)).then(() => ({})),
  };

  async function changeForEver(known: Known): Promise<void> {
    const tokens: string[] = [];
    for (;;) {
      const name = pick(CHANGES) ?? 'regenerate';
      await report({ id: known.id, change: name, phase: 'begin' });
      const account = await parts.accounts.find(known.id);
      if (!account) throw new Error('an account is gone');
      const outcome = await changes[name](account, tokens);
      await report({ id: known.id, change: name, phase: outcome ? 'done' : 'rejected', ...outcome });
      if (name.startsWith('sign-in') && outcome?.value !== undefined) tokens.push(outcome.value);
    }
  }

  for (const account of accounts) {
    // What a killed process has spent on a check is not given back, which after many kills would be too much.
    for (const subject of ownerRateLimitKeys(account)) await parts.rateLimits.reset(subject);
    changeForEver(account).catch((error: unknown) => {
      // The database had no time on a busy machine: whether it changed is as unknown as after a kill.
      if (error instanceof AppError && error.code === 'unavailable') return;
      process.stderr.write(`${String(error)}\n`);
      process.exit(3);
    });
  }
}

process.on(
  'message',
  ({ dataDir, known }: { readonly dataDir: string; readonly known: readonly Known[] }) => void work(dataDir, known),
);
process.send?.('ready');
