// Alerts about quotas: a mail and events when the usage of a bucket reaches 80 % of its limit, and when it reaches the
// limit.
import type { AccountActors } from '../accounts/account-actors.js';
import type { Account } from '../accounts/account.js';
import { SYSTEM } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { withWrittenMail } from '../accounts/changes/mails.js';
import type { MailContent } from '../accounts/pending-mail.js';
import { THRESHOLD_PERCENT, type NearLimit } from '../metering/quota-listeners.js';
import { lruCache } from '../platform/concurrency/lru-cache.js';
import { isCode } from '../platform/errors.js';
import type { BackgroundTasks } from '../platform/jobs/background-tasks.js';
import type { Deployment } from '../platform/services.js';
import { addDays } from '../platform/utc-day.js';
import { withEvents } from './changes.js';
import { hasQuotaAlerts, webhooksOf, withWebhooks } from './endpoint.js';
import type { NewEvent } from './event.js';

export const UNSUBSCRIBE = { path: '/auth/alerts/unsubscribe', purpose: 'quota alerts' };
/** Maximum number of reports that this process remembers. Each takes some bytes. */
const MAX_REPORTED = 50_000;

type Operator = Pick<Deployment, 'billing' | 'operatorContact'>;

interface Ports {
  readonly actors: Pick<AccountActors, 'run'>;
  readonly background: Pick<BackgroundTasks, 'start'>;
  readonly operator: Operator;
}

/**
 * Returns the listener to counts near a limit, which writes in the background. The account stores what was reported, so
 * that several processes report it only once. If a crash prevents a report, the next counted request causes it.
 */
export function createQuotaAlerts({ actors, background, operator }: Ports): (near: NearLimit) => void {
  const reported = lruCache<string, true>(MAX_REPORTED);
  return (near) => {
    const { accountId, bucket, day, used, limit } = near;
    const percent = used >= limit ? 100 : THRESHOLD_PERCENT;
    const name = `${accountId} ${day} ${bucket} ${percent}`;
    if (reported.has(name)) return;
    reported.set(name, true);
    background.start(async () => {
      try {
        await actors.run(accountId, SYSTEM, (account, at) => reportQuota(account, { near, percent, operator }, at));
      } catch (error) {
        reported.delete(name);
        if (!isCode(error, 'not_found')) throw error;
      }
    });
  };
}

interface Report {
  readonly near: NearLimit;
  readonly percent: number;
  readonly operator: Operator;
}

/** Reports a count, unless this percentage or a higher one was already reported for the bucket and the day. */
function reportQuota(account: Account, { near, percent, operator }: Report, at: Date): Change {
  const { bucket, day, used, limit } = near;
  const { reported } = webhooksOf(account);
  if (reported && reported.day > day) return unchanged(account);
  const percents = reported?.day === day ? reported.percents : {};
  const before = percents[bucket] ?? 0;
  if (percent <= before || account.suspended) return unchanged(account);
  const data = { bucket, used, limit, date: day };
  const events: NewEvent[] = [];
  if (before < THRESHOLD_PERCENT)
    events.push({ kind: 'quota.threshold', data: { ...data, percent: THRESHOLD_PERCENT } });
  if (percent === 100) events.push({ kind: 'quota.exhausted', data });
  const noted = withWebhooks(account, { reported: { day, percents: { ...percents, [bucket]: percent } } });
  const mailed = hasQuotaAlerts(account)
    ? withWrittenMail(noted, 'quota-alert', at, alertMail(near, percent, operator))
    : noted;
  // Event ids contain the version with which the account is saved: the next version.
  return { account: withEvents({ ...mailed, version: account.version + 1 }, events, at), facts: [], result: undefined };
}

function alertMail({ bucket, tier, day, used, limit }: NearLimit, percent: number, operator: Operator): MailContent {
  const number = new Intl.NumberFormat('en');
  const isExhausted = percent === 100;
  return {
    subject: isExhausted ? `The quota ${bucket} is used up` : `${percent} % of the quota ${bucket} are used`,
    lines: [
      `Your account has used ${number.format(used)} of ${number.format(limit)} requests of the bucket "${bucket}" on ${day} (UTC).`,
      isExhausted
        ? 'Further requests of this bucket are rejected with the status 429 until the quota is reset.'
        : 'When all are used, further requests of this bucket are rejected with the status 429.',
      `The quota is reset at ${addDays(day, 1)} 00:00 UTC. Your plan is ${tier}.`,
      raising(operator),
    ],
    page:
      operator.billing === 'on'
        ? { label: 'Compare plans', path: '/billing' }
        : { label: 'Open usage', path: '/usage' },
    unsubscribe: UNSUBSCRIBE,
  };
}

function raising({ billing, operatorContact }: Operator): string {
  if (billing === 'on') return 'A larger plan has higher limits.';
  return operatorContact === null
    ? 'Ask the operator of this service for higher limits.'
    : `Ask the operator of this service for higher limits: ${operatorContact}`;
}
