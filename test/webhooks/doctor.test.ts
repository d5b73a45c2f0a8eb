// The finding of `doctor` about WEBHOOK_ORIGINS.
import { expect } from 'chai';
import { settingFindings } from '../../src/webhooks/doctor.js';

describe('doctor about webhook origins', () => {
  const findings = (...origins: string[]) => settingFindings({ WEBHOOK_ORIGINS: origins });

  it('says that only public hosts are reached without exceptions', async () => {
    expect(await findings()).to.deep.equal([
      { check: 'webhook origins', status: 'ok', message: 'Webhooks reach public hosts only.', advice: null },
    ]);
  });

  it('lists exceptions whose requests are encrypted or stay on this machine', async () => {
    const [finding, ...more] = await findings('https://hooks.corp:8443', 'http://127.0.0.1:8080');
    expect(finding).to.include({ status: 'ok' });
    expect(finding?.message).to.include('https://hooks.corp:8443, http://127.0.0.1:8080');
    expect(more).to.deep.equal([]);
  });

  it('warns of exceptions whose requests anyone on the network can read, and says what to do', async () => {
    const [finding] = await findings('http://hooks.corp:8080', 'https://hooks.corp');
    expect(finding).to.include({ status: 'warning' });
    expect(finding?.message).to.include('http://hooks.corp:8080').and.not.include('https://hooks.corp');
    expect(finding?.advice).to.include('Use https:// in WEBHOOK_ORIGINS');
  });
});
