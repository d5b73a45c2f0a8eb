// Process that changes accounts until it is killed. It reports the start and the end of each change to its parent,
// which checks the accounts.
import { regenerateKey } from '../../src/accounts/changes/credentials.js';
import { endAllSessions, endSession, signIn } from '../../src/accounts/changes/sessions.js';
import { setOperatorTier } from '../../src/accounts/changes/billing.js';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { AppError } from '../../src/platform/errors.js';
import { parseSessionToken } from '../../src/accounts/session.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';

const CHANGES = ['regenerate', 'sign-in', 'end', 'end-all', 'tier'] as const;
export type ChangeName = (typeof CHANGES)[number];

export interface Report {
  readonly id: AccountId;
  readonly change: ChangeName;
  readonly phase: 'begin' | 'done' | 'rejected';
  /** The created API key, the token of the started or ended session, or the new tier. */
  readonly value?: string;
}

/** Undefined if the change is not possible now. */
type Outcome = { readonly value?: string } | undefined;

const MOST_SESSIONS = 15;
const BY = { kind: 'customer', address: null } as const;
const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

function report(line: Report): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(line, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

type Changes = Readonly<Record<ChangeName, (account: Account, tokens: readonly string[]) => Promise<Outcome>>>;

const changesOf = ({ actors }: TestAccounts): Changes => ({
  regenerate: async ({ id }) => ({
    value: (await actors.run(id, BY, (current, at) => regenerateKey(current, undefined, at))).raw,
  }),
  async 'sign-in'({ id, sessions, password: { version: passwordVersion } }) {
    if (sessions.length >= MOST_SESSIONS) return undefined;
    const origin = { userAgent: null, address: null };
    const { token } = await actors.run(id, BY, (current, at) => signIn(current, { passwordVersion, origin }, at));
    return { value: token };
  },
  async end({ id, sessions }, tokens) {
    const token = pick(tokens);
    const hash = token === undefined ? undefined : parseSessionToken(token)?.tokenHash;
    const session = sessions.find(({ tokenHash }) => tokenHash === hash);
    if (token === undefined || !session) return undefined;
    await actors.run(id, BY, (current, at) => endSession(current, session.id, at));
    return { value: token };
  },
  'end-all': ({ id }) => actors.run(id, BY, (current, at) => endAllSessions(current, undefined, at)).then(() => ({})),
  async tier({ id, tier }) {
    const other = tier === 'pro' ? 'free' : 'pro';
    await actors.run(id, BY, (current, at) => setOperatorTier(current, other, at));
    return { value: other };
  },
});

async function work(dataDir: string, ids: readonly AccountId[]): Promise<void> {
  const parts = await openTestAccounts({ dataDir });
  const changes = changesOf(parts);

  async function changeForEver(id: AccountId): Promise<void> {
    const tokens: string[] = [];
    for (;;) {
      const change = pick(CHANGES) ?? 'regenerate';
      await report({ id, change, phase: 'begin' });
      const account = await parts.accounts.find(id);
      if (!account) throw new Error('an account is gone');
      const outcome = await changes[change](account, tokens);
      await report({ id, change, phase: outcome ? 'done' : 'rejected', ...outcome });
      if (change === 'sign-in' && outcome?.value !== undefined) tokens.push(outcome.value);
    }
  }

  for (const id of ids)
    changeForEver(id).catch((error: unknown) => {
      // The busy database exceeded its time limit, so it is unknown whether the change was saved. Nothing is reported,
      // as after a kill.
      if (error instanceof AppError && error.code === 'unavailable') return;
      process.stderr.write(`${String(error)}\n`);
      process.exit(3);
    });
}

process.on(
  'message',
  ({ dataDir, ids }: { readonly dataDir: string; readonly ids: readonly AccountId[] }) => void work(dataDir, ids),
);
process.send?.('ready');
