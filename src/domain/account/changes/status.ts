// What an account may do: its tier, whether it is suspended, and whether sign-ins to it are being throttled.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { withNotice } from './mails.js';
import type { AuditFact } from '../audit-event.js';
import type { Tier } from '../../metering/plan.js';
import { HOUR_MS, isWithin } from '../../time.js';

const THROTTLE_NOTICE_MS = HOUR_MS;

export function setTier(account: Account, tier: Tier): Change {
  if (account.tier === tier) return unchanged(account);
  return {
    account: { ...account, tier },
    facts: [{ type: 'authz_change', detail: { from: account.tier, to: tier } }],
    result: undefined,
  };
}

export function setSuspended(account: Account, suspended: boolean): Change {
  if (account.suspended === suspended) return unchanged(account);
  const fact: AuditFact = suspended ? { type: 'authn_login_lock' } : { type: 'user_updated', detail: { suspended } };
  return { account: { ...account, suspended }, facts: [fact], result: undefined };
}

/** Tells the owner and the record, at most once an hour. */
export function noteThrottled(account: Account, at: Date): Change {
  if (account.throttleNoticeAt && isWithin(account.throttleNoticeAt.getTime(), THROTTLE_NOTICE_MS, at.getTime()))
    return unchanged(account);
  return {
    account: withNotice({ ...account, throttleNoticeAt: at }, 'sign-ins-throttled', at),
    facts: [{ type: 'authn_login_fail_max' }],
    result: undefined,
  };
}

/** The owner hears of the next flood at once, even within the hour. */
export function unlock(account: Account): Change {
  return {
    account: { ...account, throttleNoticeAt: null, unlocks: account.unlocks + 1 },
    facts: [{ type: 'user_updated', detail: { throttled: false } }],
    result: undefined,
  };
}
