// Changes of an account's status: suspension, and throttled sign-ins.
import type { Account } from '../account.js';
import { unchanged, type Change } from './change.js';
import { withNotice } from './mails.js';
import type { AuditFact } from '../audit-event.js';
import { HOUR_MS, isWithin } from '../../platform/time.js';

const THROTTLE_NOTICE_MS = HOUR_MS;

export function setSuspended(account: Account, suspended: boolean): Change {
  if (account.suspended === suspended) return unchanged(account);
  const fact: AuditFact = suspended ? { type: 'authn_login_lock' } : { type: 'user_updated', detail: { suspended } };
  return { account: { ...account, suspended }, facts: [fact], result: undefined };
}

/** Notifies the owner that sign-ins are throttled, and adds an audit event, both at most once an hour. */
export function noteThrottled(account: Account, at: Date): Change {
  if (account.throttleNoticeAt && isWithin(account.throttleNoticeAt.getTime(), THROTTLE_NOTICE_MS, at.getTime()))
    return unchanged(account);
  return {
    account: withNotice({ ...account, throttleNoticeAt: at }, 'sign-ins-throttled', at),
    facts: [{ type: 'authn_login_fail_max' }],
    result: undefined,
  };
}

/** Notifies the owner that somebody has tried to register with this address. */
export function noteRegistration(account: Account, at: Date): Change {
  return { ...unchanged(account), account: withNotice(account, 'registration-tried', at) };
}

/** Ends the throttling of sign-ins. If it starts again, the owner gets a new notice, even within an hour. */
export function unlock(account: Account): Change {
  return {
    account: { ...account, throttleNoticeAt: null, unlocks: account.unlocks + 1 },
    facts: [{ type: 'user_updated', detail: { throttled: false } }],
    result: undefined,
  };
}
