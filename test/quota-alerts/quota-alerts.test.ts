// Mails about quotas: their text for each report and operator, and the switch that the owner sets.
import { expect } from 'chai';
import type { QuotaReport } from '../../src/metering/quota-reports.js';
import type { UtcDay } from '../../src/platform/utc-day.js';
import { hasQuotaAlerts, setQuotaAlerts, UNSUBSCRIBE, withQuotaAlert } from '../../src/quota-alerts/quota-alerts.js';
import { someAccount } from '../support/accounts.js';
import { clockAt } from '../support/clock.js';

const AT = clockAt().date();
const SELF_HOSTED = { billing: 'off', operatorContact: null } as const;
const someone = () => ({ ...someAccount({ at: AT }).account, mails: [] });
const verified = () => ({ ...someone(), emailVerified: true });

describe('mails about quotas', () => {
  const account = someone();
  const report: QuotaReport = {
    ...{ accountId: account.id, bucket: 'svg', tier: 'pro', day: '2026-02-28' as UtcDay },
    ...{ used: 1600, limit: 2000, percents: [80] },
  };
  const mailOf = (changes: Partial<QuotaReport>, operator: Parameters<typeof withQuotaAlert>[3] = SELF_HOSTED) => {
    const { mails } = withQuotaAlert(verified(), { ...report, ...changes }, AT, operator);
    expect(mails.map(({ kind, dueAt }) => [kind, dueAt])).to.deep.equal([['quota-alert', AT]]);
    return mails[0]!.content!;
  };

  it('state the use, the end of the day, the plan, and whom to ask', () => {
    expect(mailOf({})).to.deep.equal({
      subject: '80 % of the quota svg are used',
      lines: [
        'Your account has used 1,600 of 2,000 requests of the bucket "svg" on 2026-02-28 (UTC).',
        'When all are used, further requests of this bucket are rejected with the status 429.',
        'The quota is reset at 2026-03-01 00:00 UTC. Your plan is pro.',
        'Ask the operator of this service for higher limits.',
      ],
      page: { label: 'Open usage', path: '/usage' },
      unsubscribe: UNSUBSCRIBE,
    });
  });

  it('report the end of a quota, even if the same request has also passed 80 %', () => {
    for (const percents of [[100], [80, 100]] as const) {
      const { subject, lines } = mailOf({ bucket: 'batch', used: 2000, percents });
      expect(subject).to.equal('The quota batch is used up');
      expect(lines[1]).to.equal(
        'Further requests of this bucket are rejected with the status 429 until the quota is reset.',
      );
    }
  });

  it('offer a larger plan if the service sells plans, and else name the contact of the operator', () => {
    const contact = 'mailto:ops@icons.example';
    const sold = mailOf({}, { billing: 'on', operatorContact: contact });
    expect([sold.lines.at(-1), sold.page?.path]).to.deep.equal(['A larger plan has higher limits.', '/billing']);
    const asked = mailOf({}, { billing: 'off', operatorContact: contact });
    expect(asked.lines.at(-1)).to.equal(`Ask the operator of this service for higher limits: ${contact}`);
  });

  it('are not added if the owner has switched them off, or if the address is not verified', () => {
    for (const unwanted of [setQuotaAlerts(verified(), false).account, account])
      expect(withQuotaAlert(unwanted, report, AT, SELF_HOSTED)).to.equal(unwanted);
    const wanted = setQuotaAlerts(account, true).account;
    expect(withQuotaAlert(wanted, report, AT, SELF_HOSTED).mails).to.have.length(1);
  });

  it('stay as the owner has decided, and a repeated decision changes nothing', () => {
    for (const isOn of [true, false]) {
      const decided = setQuotaAlerts(account, isOn).account;
      expect(decided, 'also a decision for the default is saved').to.not.equal(account);
      for (const emailVerified of [true, false]) expect(hasQuotaAlerts({ ...decided, emailVerified })).to.equal(isOn);
      expect(setQuotaAlerts(decided, isOn).account).to.equal(decided);
    }
  });
});
