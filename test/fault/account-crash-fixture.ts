// A process that changes accounts without end, and tells its parent of each change before it begins and when it is done.
import { changePassword, endAllSessions, endSession, regenerateKey, resetPassword, sendLink, setSuspended, setTier, signIn, type Change } from '../../src/domain/account-changes.js';
import type { Account, AccountId } from '../../src/domain/account.js';
import { randomBase62 } from '../../src/domain/base62.js';
import { linkToken } from '../../src/domain/link.js';
import { parseSessionToken, type SessionId } from '../../src/domain/session.js';
import { ownerSubject } from '../../src/services/password-check.js';
import { openTestAccounts, PASSWORD, PASSWORD_HASH, someClient } from '../support/account-services.js';

/** What the parent knows of an account. */
export interface Known {
  readonly id: AccountId;
  readonly email: string;
}

export const CHANGES = ['regenerate', 'regenerate-with-password', 'sign-in', 'sign-in-with-password', 'end', 'end-all', 'change-password', 'reset-password', 'tier', 'suspend', 'resume'] as const;
export type ChangeName = (typeof CHANGES)[number];

export interface Report {
  readonly id: AccountId;
  readonly change: ChangeName;
  readonly phase: 'begin' | 'done' | 'refused';
  /** What it gave or took: a key, a session token, a tier. */
  readonly value?: string;
}

/** Hashing would take all the time; each stands for a password of its own. */
const fakeHash = (): string => `$argon2id$${Math.random()}`;
/** Below the 20 at which the oldest ends by itself. */
const MOST_SESSIONS = 15;
const BY = { kind: 'customer', address: null } as const;
const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

function tell(report: Report): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(report, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

async function work(dataDir: string, known: readonly Known[]): Promise<void> {
  const parts = openTestAccounts({ dataDir });
  const run = <Result>(id: AccountId, decide: (account: Account, at: Date) => Change<Result>): Promise<Result> => parts.actors.run(id, BY, decide);

  /** Undefined: not now. */
  async function apply(name: ChangeName, { id, email }: Known, tokens: string[]): Promise<{ readonly value?: string } | undefined> {
    const account = await parts.accounts.find(id);
    if (!account) throw new Error('an account is gone');
    const origin = { userAgent: null, address: null };
    const passwordVersion = account.password.version;
    switch (name) {
      case 'regenerate':
        return { value: (await run(id, (current, at) => regenerateKey(current, undefined, at))).raw };
      case 'regenerate-with-password': {
        if (account.password.hash !== PASSWORD_HASH) return undefined;
        const [session] = account.sessions;
        if (!session) return undefined;
        return { value: (await parts.credentials.regenerateKey({ caller: { account, session }, currentPassword: PASSWORD, client: someClient({ budgetAddress: randomBase62(12) }) })).raw };
      }
      case 'sign-in':
        if (account.suspended || account.sessions.length >= MOST_SESSIONS) return undefined;
        return { value: (await run(id, (current, at) => signIn(current, { passwordVersion, origin }, at))).token };
      case 'sign-in-with-password':
        if (account.suspended || account.sessions.length >= MOST_SESSIONS || account.password.hash !== PASSWORD_HASH) return undefined;
        return { value: (await parts.signIn.signIn({ email, password: PASSWORD, client: someClient({ budgetAddress: randomBase62(12) }) })).sessionToken };
      case 'end': {
        const token = pick(tokens);
        const hash = token === undefined ? undefined : parseSessionToken(token)?.tokenHash;
        const session = account.sessions.find(({ tokenHash }) => tokenHash === hash);
        if (token === undefined || !session) return undefined;
        await run(id, (current, at) => endSession(current, session.id, at));
        return { value: token };
      }
      case 'end-all':
        await run(id, endAllSessions);
        return {};
      case 'change-password':
        await run(id, (current, at) => changePassword(current, { passwordVersion, passwordHash: fakeHash(), session: 'none' as SessionId }, at));
        return {};
      case 'reset-password': {
        await run(id, (current, at) => sendLink(current, 'reset-password', at));
        const link = (await parts.accounts.find(id))?.links.find(({ purpose }) => purpose === 'reset-password');
        const [secret] = parts.linkSecrets;
        const token = link && linkToken(id, link, secret);
        // Back to the known password.
        await run(id, (current, at) => resetPassword(current, { token: token ?? '', secrets: [secret], passwordHash: PASSWORD_HASH }, at));
        return {};
      }
      case 'tier': {
        const tier = account.tier === 'pro' ? 'free' : 'pro';
        await run(id, (current) => setTier(current, tier));
        return { value: tier };
      }
      case 'suspend':
      case 'resume':
        await run(id, (current) => setSuspended(current, name === 'suspend'));
        return {};
    }
  }

  async function changeForEver(account: Known): Promise<void> {
    const tokens: string[] = [];
    for (;;) {
      const change = pick(CHANGES) ?? 'regenerate';
      await tell({ id: account.id, change, phase: 'begin' });
      const outcome = await apply(change, account, tokens);
      await tell({ id: account.id, change, phase: outcome ? 'done' : 'refused', ...outcome });
      if (change.startsWith('sign-in') && outcome?.value !== undefined) tokens.push(outcome.value);
    }
  }

  for (const account of known) {
    // What a killed process has spent on a check is not given back, which after many kills would be too much.
    await parts.budgets.refill(ownerSubject(account.email));
    changeForEver(account).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(3);
    });
  }
}

process.on('message', ({ dataDir, known }: { readonly dataDir: string; readonly known: readonly Known[] }) => void work(dataDir, known));
process.send?.('ready');
