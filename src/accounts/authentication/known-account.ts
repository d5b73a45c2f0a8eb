// The account of a request, for its line of the log: known once the credential was found right.
import type { Context } from 'koa';
import type { AccountId } from '../account.js';
import { tierAt } from '../tier.js';
import type { Tier } from '../plan.js';
import { BurstError } from '../../metering/metering.js';
import type { Callers } from './callers.js';

/** Fields of the log. */
export interface KnownAccount {
  readonly account: AccountId;
  readonly tier: Tier;
}

export function noteAccount(context: Pick<Context, 'state'>, id: AccountId, tier: Tier): void {
  context.state.knownAccount = { account: id, tier };
}

/** Notes the caller of a request whose credential was checked before its handler. */
export function noteCaller(context: Context, { caller, owner, requester }: AnyCaller, at: Date): void {
  const signedIn = requester?.kind === 'bearer' ? requester.caller : caller;
  if (signedIn) noteAccount(context, signedIn.account.id, tierAt(signedIn.account, at));
  else if (owner) noteAccount(context, owner.accountId, owner.tier);
}

export interface AnyCaller {
  readonly caller?: Callers['visitor']['caller'];
  readonly owner?: Callers['account']['owner'];
  readonly requester?: Callers['own-key']['requester'];
}

/** Notes the account that an error names. */
export function noteAccountOfFailure(context: Context, error: unknown): void {
  if (error instanceof BurstError) noteAccount(context, error.account.id, error.account.tier);
}

/** Empty: the account is not known. */
export function knownAccount({ state }: Context): Partial<KnownAccount> {
  return state.knownAccount ?? {};
}
