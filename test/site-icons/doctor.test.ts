// Findings of the `doctor` command about site icons, for each kind of answer of the name servers.
import { expect } from 'chai';
import { siteIconFindings } from '../../src/site-icons/doctor.js';

const PROXY = 'http://proxy.example:3128';

describe('doctor about icons of sites', () => {
  const finding = async (addresses: readonly string[], HTTPS_PROXY = '') =>
    (await siteIconFindings({ SITE_ICONS: 'on', HTTPS_PROXY }, async () => addresses))[0];

  it('finds nothing while icons of sites are off', async () => {
    expect(await siteIconFindings({ SITE_ICONS: 'off', HTTPS_PROXY: '' }, async () => [])).to.deep.equal([]);
  });

  it('accepts public addresses, with and without a proxy', async () => {
    for (const proxy of ['', PROXY]) expect(await finding(['93.184.215.14'], proxy)).to.include({ status: 'ok' });
  });

  it('accepts a proxy on a machine without name servers, and warns without a proxy', async () => {
    expect(await finding([], PROXY)).to.include({ status: 'ok' });
    const alone = await finding([]);
    expect(alone).to.include({ status: 'warning' });
    expect(alone?.advice).to.include('HTTPS_PROXY');
  });

  it('warns of addresses that are not public, even with a proxy, because they are rejected with it, too', async () => {
    for (const proxy of ['', PROXY]) {
      const found = await finding(['93.184.215.14', '64:ff9b::5db8:d70e'], proxy);
      expect(found).to.include({ status: 'warning' });
      expect(found?.message).to.include('64:ff9b::5db8:d70e');
      expect(found?.advice).to.include('DNS64').and.not.include('HTTPS_PROXY');
    }
  });
});
