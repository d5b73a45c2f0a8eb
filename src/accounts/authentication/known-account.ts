// Adds the account of a request to its log line, as soon as the credential is verified.
import type { Context } from 'koa';
import type { AccountId } from '../account.js';
import { tierAt } from '../tier.js';
import type { Tier } from '../plan.js';
import { AppError } from '../../platform/errors.js';
import type { Callers } from './callers.js';

export function noteAccount(context: Pick<Context, 'state'>, id: AccountId, tier: Tier): void {
  context.state.logFields = { account: id, tier };
}

/** Adds the account to the log line if the credential was verified before the handler runs. */
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

/** Error `rate_limited` for a request with a verified key. The error adds the account to the log line. */
export class BurstError extends AppError {
  constructor(message: string, retryAfterSeconds: number, account: { readonly id: AccountId; readonly tier: Tier }) {
    super('rate_limited', message, { retryAfterSeconds, logFields: { account: account.id, tier: account.tier } });
  }
}
