// The page of own brands: files become drafts, drafts brands, and what is removed can be taken back.
import { expect } from 'chai';
import { violations } from '../support/axe.js';
import { heading, signedInPage, withDashboard } from '../support/dashboard.js';

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${color}" d="M2 2h20v20H2z"/><circle cx="12" cy="12" r="5" fill="#ffffff"/></svg>`;
const file = (name: string, text: string, mimeType = 'image/svg+xml') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

describe('the page of own brands', () => {
  const withVisitor = withDashboard();

  it('adds brands from files, shows them at once, changes them, and takes a removal back', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const page = await signedInPage(visitor, owner, '/brands');
      await heading(page, 'Drop SVG files anywhere on this page').waitFor();
      expect(await violations(page)).to.deep.equal([]);

      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([file('acme intranet.svg', svg('#cc0000')), file('photo.png', 'PNG', 'image/png')]);
      await page.getByText('photo.png: Not an SVG.').waitFor();
      const draft = page.getByRole('region', { name: 'acme intranet.svg' });
      expect(await draft.getByLabel('Name', { exact: true }).inputValue()).to.equal('Acme Intranet');
      expect(await draft.getByLabel('Slug').inputValue()).to.equal('acme-intranet');
      await draft.locator('.ground img').nth(14).waitFor();
      await draft.getByRole('button', { name: 'Use #CC0000' }).click();
      await draft.getByLabel('Domains').fill('intranet.corp\nhttps://nas.local:8080/x');
      expect(await violations(page)).to.deep.equal([]);
      await draft.getByRole('button', { name: 'Add brand' }).click();
      await heading(page, '1 brand').waitFor();
      await page.getByText('acme-intranet · intranet.corp, nas.local').waitFor();
      const headers = { 'X-API-Key': owner.apiKey };
      const picture = await (await fetch(`${server.base}/v1/logo/nas.local?format=svg`, { headers })).text();
      expect(picture.toLowerCase()).to.include('#cc0000');

      await page.getByRole('button', { name: 'Edit Acme Intranet' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Acme');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('SVG file').setInputFiles([file('new.svg', svg('#00aa00'))]);
      await dialog.locator('.ground img').nth(14).waitFor();
      await dialog.getByRole('button', { name: 'Put this drawing' }).click();
      await page.getByText('Drawing of Acme replaced').waitFor();
      const replaced = await (await fetch(`${server.base}/v1/svg/acme-intranet`, { headers })).text();
      expect(replaced.toLowerCase()).to.include('#00aa00');

      await page.getByRole('button', { name: 'Remove Acme' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Remove Acme' }).click();
      await page.getByText('Acme is removed.').waitFor();
      // Leaving the page ends the time for an undo.
      await page.getByRole('link', { name: 'Keys' }).first().click();
      await heading(page, 'Keys').waitFor();
      await page.getByRole('link', { name: 'Brands' }).first().click();
      await heading(page, 'Drop SVG files anywhere on this page').waitFor();
    }));

  it('names what the service rejects beside the draft, which stays', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/brands?title=Bad+Company');
      const bad = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><script>1</script></svg>';
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([file('bad.svg', bad)]);
      const draft = page.getByRole('region', { name: 'bad.svg' });
      await draft.getByRole('button', { name: 'Add brand' }).click();
      await draft.getByRole('alert').waitFor();
      expect(await draft.getByLabel('Name', { exact: true }).inputValue()).to.equal('Bad Company');
      expect(await draft.getByLabel('Slug').inputValue()).to.equal('bad-company');
    }));

  for (const options of [{ width: 390 }, { colorScheme: 'dark' }] as const)
    it(`fits ${JSON.stringify(options)}`, () =>
      withVisitor(async (visitor, { account }) => {
        const page = await signedInPage(visitor, await account(), '/brands');
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles([file('acme.svg', svg('#cc0000'))]);
        await page.locator('.ground img').first().waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
        expect(await violations(page)).to.deep.equal([]);
        if (process.env.BLAZON_SHOTS)
          await page.screenshot({
            path: `${process.env.BLAZON_SHOTS}/brands-${Object.values(options)[0]}.png`,
            fullPage: true,
          });
      }, options));
});
