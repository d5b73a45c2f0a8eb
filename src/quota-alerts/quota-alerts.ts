// Mails to an account's owner when a bucket (a kind of requests) passes 80 % of its daily limit, and when it reaches
// the limit.
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { withWrittenMail } from '../accounts/changes/mails.js';
import { featureValue } from '../accounts/feature-value.js';
import type { MailContent } from '../accounts/pending-mail.js';
import type { QuotaReport } from '../metering/quota-reports.js';
import type { Deployment } from '../platform/services.js';
import { addDays } from '../platform/utc-day.js';

export const UNSUBSCRIBE = { path: '/auth/alerts/unsubscribe', purpose: 'quota alerts' };

const stored = featureValue(
  'quota-alerts',
  z.object({
    /** Null until the owner decides. */
    isOn: z.boolean().nullable().default(null),
  }),
);

/** Returns true if mails about quotas are on. Until the owner decides, they are on if the e-mail address is verified. */
export function hasQuotaAlerts(account: Pick<Account, 'id' | 'features' | 'emailVerified'>): boolean {
  return stored.of(account).isOn ?? account.emailVerified;
}

export function setQuotaAlerts(account: Account, isOn: boolean): Change {
  if (stored.of(account).isOn === isOn) return unchanged(account);
  return { account: stored.set(account, { isOn }), facts: [], result: undefined };
}

type Operator = Pick<Deployment, 'billing' | 'operatorContact'>;

/** Adds a mail about the report to the account, unless its owner has switched alerts off. */
export function withQuotaAlert(account: Account, report: QuotaReport, at: Date, operator: Operator): Account {
  return hasQuotaAlerts(account) ? withWrittenMail(account, 'quota-alert', at, alertMail(report, operator)) : account;
}

function alertMail({ bucket, tier, day, used, limit, percents }: QuotaReport, operator: Operator): MailContent {
  const number = new Intl.NumberFormat('en');
  const percent = Math.max(...percents);
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
