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

  it('never overwrites a brand by a new one of the same slug, nor by an edit of an earlier state', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey, 'Content-Type': 'application/json' };
      const address = `${server.base}/v1/brands/acme`;
      const put = (facts: object) => fetch(address, { method: 'PUT', headers, body: JSON.stringify(facts) });
      const stored = async () => ((await (await fetch(address, { headers })).json()) as { brand: object }).brand;
      const facts = { title: 'Acme Corporation', domains: ['acme.corp'], aliases: ['ac'], categories: ['tools'] };
      expect((await put(facts)).status).to.equal(201);
      const page = await signedInPage(visitor, owner, '/brands');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([file('acme.svg', svg('#cc0000'))]);
      const draft = page.getByRole('region', { name: 'acme.svg' });
      await draft.getByRole('button', { name: 'Add brand' }).click();
      await draft.getByText('There is a brand "acme" of yours already. Change it by Edit').waitFor();
      expect(await draft.getByLabel('Slug').getAttribute('aria-invalid')).to.equal('true');
      expect(await stored())
        .to.include({ title: facts.title })
        .and.deep.include({ domains: facts.domains });

      await page.getByRole('button', { name: 'Edit Acme Corporation' }).click();
      const dialog = page.getByRole('dialog');
      expect((await put({ ...facts, aliases: ['meanwhile'] })).status).to.equal(200);
      await dialog.getByLabel('Name', { exact: true }).fill('Late');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('It was changed or removed elsewhere meanwhile').waitFor();
      expect(await stored()).to.deep.include({ title: facts.title, aliases: ['meanwhile'] });
      await dialog.getByRole('button', { name: 'Reload' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Edit Acme Corporation' }).click();
      expect(await dialog.getByLabel('Other names').inputValue()).to.equal('meanwhile');
      await dialog.getByLabel('Name', { exact: true }).fill('In time');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('In time changed').waitFor();
      expect(await stored()).to.deep.include({ title: 'In time', aliases: ['meanwhile'] });
    }));

  it('makes a brand once when its drawing is rejected and sent again, under the slug that its hint names', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const page = await signedInPage(visitor, owner, '/brands');
      const changes: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() !== 'GET' && pathname.startsWith('/v1/brands'))
          changes.push(`${request.method()} ${pathname}`);
      });
      const drawing = '**/v1/brands/my-logo/variants/default';
      await page.route(drawing, (route) => route.abort());
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([file('other.svg', svg('#cc0000'))]);
      const draft = page.getByRole('region', { name: 'other.svg' });
      await draft.getByLabel('Slug').fill(' Mý logo');
      await draft.getByText('/v1/svg/my-logo').waitFor();
      await draft.getByRole('button', { name: 'Add brand' }).click();
      await draft.getByRole('alert').waitFor();
      await page.getByText('no drawing yet').waitFor();
      expect(await draft.getByLabel('Slug').isEditable()).to.equal(false);
      await page.unroute(drawing);
      await draft.getByLabel('Other names').fill('mine');
      await draft.getByRole('button', { name: 'Add brand' }).click();
      await draft.waitFor({ state: 'detached' });
      expect(changes).to.deep.equal([
        'PUT /v1/brands/my-logo',
        'PUT /v1/brands/my-logo/variants/default',
        'PATCH /v1/brands/my-logo',
        'PUT /v1/brands/my-logo/variants/default',
      ]);
      const headers = { 'X-API-Key': owner.apiKey };
      expect((await fetch(`${server.base}/v1/svg/my-logo`, { headers })).status).to.equal(200);
    }));

  it('replaces and removes drawings of any variant that was put', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey };
      const put = (path: string, type: string, body: string) =>
        fetch(`${server.base}/v1/brands/acme${path}`, {
          method: 'PUT',
          headers: { ...headers, 'Content-Type': type },
          body,
        });
      expect((await put('', 'application/json', '{"title":"Acme"}')).status).to.equal(201);
      for (const name of ['default', 'badge'])
        expect((await put(`/variants/${name}`, 'image/svg+xml', svg('#cc0000'))).status).to.equal(201);
      const page = await signedInPage(visitor, owner, '/brands');
      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      const dialog = page.getByRole('dialog', { name: 'Drawings of Acme' });
      const variant = dialog.getByLabel('Variant');
      expect(await variant.locator('option').allInnerTexts()).to.deep.equal([
        ...['default', 'mono', 'light', 'dark', 'wordmark', 'badge'],
      ]);
      const remove = dialog.getByRole('button', { name: /^Remove/ });
      expect(await remove.count(), 'for the default one').to.equal(0);
      await variant.selectOption('mono');
      expect(await remove.count(), 'for a derived one').to.equal(0);
      await variant.selectOption('badge');
      await dialog.getByLabel('SVG file').setInputFiles([file('new.svg', svg('#00aa00'))]);
      await dialog.getByRole('button', { name: 'Put this drawing' }).click();
      await page.getByText('Drawing of Acme replaced').waitFor();
      const badge = () => fetch(`${server.base}/v1/svg/acme?variant=badge`, { headers });
      expect((await (await badge()).text()).toLowerCase()).to.include('#00aa00');

      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      await variant.selectOption('badge');
      await remove.click();
      const question = page.getByRole('dialog', { name: 'Remove badge of Acme' });
      expect(await violations(page)).to.deep.equal([]);
      await question.getByRole('button', { name: 'Not now' }).click();
      await question.waitFor({ state: 'detached' });
      await remove.click();
      await question.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Drawing badge of Acme removed').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect((await badge()).status, 'no such variant').to.equal(400);
    }));

  it('leaves text that is dropped to the fields, and errors where they are', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/brands');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([file('acme.svg', svg('#cc0000')), file('photo.png', 'PNG', 'image/png')]);
      const name = page.getByRole('region', { name: 'acme.svg' }).getByLabel('Name', { exact: true });
      await name.waitFor();
      const drop = (fill: string) => `(() => {
        const dataTransfer = new DataTransfer();
        ${fill};
        return document.querySelector('form').dispatchEvent(
          new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
        );
      })()`;
      expect(await page.evaluate(drop("dataTransfer.setData('text/plain', 'Acme')"))).to.equal(true);
      await page.evaluate('new Promise(requestAnimationFrame)');
      await page.getByText('photo.png: Not an SVG.').waitFor();
      expect(await page.evaluate(drop("dataTransfer.items.add(new File(['<svg/>'], 'b.svg'))"))).to.equal(false);
      await page.getByRole('region', { name: 'b.svg' }).waitFor();
      expect(await page.getByText('photo.png: Not an SVG.').count()).to.equal(0);
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
