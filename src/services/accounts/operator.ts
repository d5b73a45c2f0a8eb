// What the operator does with accounts: the same changes that their owners make, without a password, and some of his
// own.
import { randomBytes } from 'node:crypto';
import type { AccountActors } from '../../actors/account-actors.js';
import { emailIdentity, type Account } from '../../domain/account/account.js';
import { parseAccountId, type AccountId } from '../../domain/account/account-id.js';
import { revokeKey } from '../../domain/account/changes/credentials.js';
import { beginDeletion, newAccount } from '../../domain/account/changes/lifecycle.js';
import { makeResetLink } from '../../domain/account/changes/email-links.js';
import { endAllSessions } from '../../domain/account/changes/sessions.js';
import { setSuspended, setTier, unlock } from '../../domain/account/changes/status.js';
import { auditEvents, type AuditEvent } from '../../domain/account/audit-event.js';
import { linkToken, type OpenLink } from '../../domain/account/email-link.js';
import type { Tier } from '../../domain/metering/plan.js';
import { AppError } from '../../errors.js';
import type { AccountStore } from '../../ports/account-store.js';
import type { AuditLog } from '../../ports/audit-log.js';
import type { RateLimits } from '../../ports/rate-limits.js';
import { linkAddress } from '../mail/templates.js';
import type { NewPassword } from './new-password.js';
import { ownerRateLimitKeys } from './password-rate-limits.js';

const OPERATOR = { kind: 'operator', address: null } as const;
const PASSWORD_BYTES = 32;
const RECENT_EVENTS = 10;

interface Ports {
  readonly accounts: AccountStore;
  readonly actors: AccountActors;
  readonly audit: Pick<AuditLog, 'read'>;
  readonly rateLimits: Pick<RateLimits, 'reset'>;
  readonly passwords: Pick<NewPassword, 'hash'>;
  /** Base of links. */
  readonly origin: string;
  /** Makes them. */
  readonly linkSecret: string;
  readonly now: () => number;
}

export interface ResetLink {
  readonly address: string;
  readonly expiresAt: Date;
}

export interface CreatedAccount {
  readonly account: Account;
  /** Nobody can show it again. */
  readonly apiKey: string;
  /** For the owner to set a password: the one it has is known to nobody. */
  readonly resetLink: ResetLink;
}

/** All throw AppError: `not_found` (no such account any more), `busy`, `conflict`. */
export interface Operator {
  /** Throws AppError `email_taken`. */
  create(email: string, tier: Tier): Promise<CreatedAccount>;
  /** By e-mail address or id. */
  find(emailOrId: string): Promise<Account>;
  /** By id. */
  list(limit: number): Promise<readonly Account[]>;
  /** The last of what happened to it, newest first. */
  recentEvents(id: AccountId): Promise<readonly AuditEvent[]>;
  setTier(id: AccountId, tier: Tier): Promise<void>;
  suspend(id: AccountId): Promise<void>;
  resume(id: AccountId): Promise<void>;
  /** False: it had none. */
  revokeKey(id: AccountId): Promise<boolean>;
  /** How many sessions ended. */
  logoutAll(id: AccountId): Promise<number>;
  /** Sign-ins that were throttled are let through again. */
  unlock(account: Account): Promise<void>;
  resetLink(id: AccountId): Promise<ResetLink>;
  delete(account: Account): Promise<void>;
}

export function createOperator({
  accounts,
  actors,
  audit,
  rateLimits,
  passwords,
  origin,
  linkSecret,
  now,
}: Ports): Operator {
  function resetLinkOf(id: AccountId, link: OpenLink): ResetLink {
    return { address: linkAddress(origin, link.purpose, linkToken(id, link, linkSecret)), expiresAt: link.expiresAt };
  }

  return {
    async create(email, tier) {
      const passwordHash = await passwords.hash(randomBytes(PASSWORD_BYTES).toString('base64url'), OPERATOR.kind);
      const at = new Date(now());
      const created = newAccount({ email, passwordHash, tier, at });
      const { account, facts, result: link } = makeResetLink(created.account, at);
      const events = auditEvents([...created.facts, ...facts], { account, by: OPERATOR, at });
      if ((await accounts.insert(account, events)) === 'email_taken') throw new AppError('email_taken');
      return { account, apiKey: created.result.apiKey, resetLink: resetLinkOf(account.id, link) };
    },

    async find(emailOrId) {
      const id = parseAccountId(emailOrId);
      const found =
        id === undefined ? await accounts.findByEmail(emailIdentity(emailOrId.trim())) : await accounts.find(id);
      if (!found) throw new AppError('not_found', `There is no account "${emailOrId}".`);
      return found;
    },

    list: (limit) => accounts.list({ limit }),
    recentEvents: (id) => audit.read(id, { limit: RECENT_EVENTS }),
    setTier: (id, tier) => actors.run(id, OPERATOR, (account) => setTier(account, tier)),
    suspend: (id) => actors.run(id, OPERATOR, (account) => setSuspended(account, true)),
    resume: (id) => actors.run(id, OPERATOR, (account) => setSuspended(account, false)),
    revokeKey: (id) => actors.run(id, OPERATOR, revokeKey),
    logoutAll: (id) => actors.run(id, OPERATOR, (account, at) => endAllSessions(account, undefined, at)),

    async unlock(account) {
      for (const key of ownerRateLimitKeys(account)) await rateLimits.reset(key);
      await actors.run(account.id, OPERATOR, unlock);
    },

    async resetLink(id) {
      return resetLinkOf(id, await actors.run(id, OPERATOR, makeResetLink));
    },

    async delete({ id, deleting }) {
      if (!deleting) await actors.run(id, OPERATOR, (account, at) => beginDeletion(account, undefined, at));
      await accounts.remove(id);
    },
  };
}
