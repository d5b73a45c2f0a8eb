// The dashboard's page of own brands: uploaded files become drafts, drafts become brands, and the visitor can undo a
// removal.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { violations } from '../support/axe.js';
import { heading, signedInPage, withDashboard } from '../support/dashboard.js';

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${color}" d="M2 2h20v20H2z"/><circle cx="12" cy="12" r="5" fill="#ffffff"/></svg>`;
const file = (name: string, text: string, mimeType = 'image/svg+xml') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

const BAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\n<text y="20">Acme</text></svg>';

/**
 * Expects a picture for each title on a light and on a dark background. The pictures must be `<img>` elements with blob
 * URLs, which do not run scripts of the drawing.
 */
async function expectPictures(place: Locator, titles: readonly string[]): Promise<void> {
  const pictures = place.getByAltText(/ on a (?:light|dark) background$/).and(place.locator('[src^="blob:"]'));
  await pictures.nth(2 * titles.length - 1).waitFor();
  const alts = titles.flatMap((title) => ['light', 'dark'].map((ground) => `${title} on a ${ground} background`));
  expect(await pictures.evaluateAll((images: { alt: string }[]) => images.map(({ alt }) => alt))).to.deep.equal(alts);
  for (const alt of alts)
    expect(
      await place.getByAltText(alt).evaluate(async (image: { decode: () => Promise<void>; naturalWidth: number }) => {
        await image.decode();
        return image.naturalWidth;
      }),
      alt,
    ).to.be.above(0);
}

async function putBrand(base: string, apiKey: string, variants: readonly string[]): Promise<void> {
  const put = (path: string, type: string, body: string) =>
    fetch(`${base}/v1/brands/acme${path}`, {
      method: 'PUT',
      headers: { 'X-API-Key': apiKey, 'Content-Type': type },
      body,
    });
  expect((await put('', 'application/json', '{"title":"Acme"}')).status).to.equal(201);
  for (const name of variants)
    expect((await put(`/variants/${name}`, 'image/svg+xml', svg('#cc0000'))).status).to.equal(201);
}

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const choose = (page: Page, ...files: Chosen[]) => page.locator('input[type=file]').first().setInputFiles(files);

/** Collects all requests that change or preview a brand. */
function sent(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/v1/'))
      requests.push(`${request.method()} ${pathname}${search}`);
  });
  return requests;
}

describe('the page of own brands', () => {
  const withVisitor = withDashboard();

  it('shows files beside the sanitized drawings, saves them as brands, changes them, and undoes a removal', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const page = await signedInPage(visitor, owner, '/brands');
      const requests = sent(page);
      await heading(page, 'Drop SVG files anywhere on this page').waitFor();
      expect(await violations(page)).to.deep.equal([]);

      await choose(page, file('acme intranet.svg', svg('#cc0000')), file('photo.png', 'PNG', 'image/png'));
      await page.getByText('photo.png: Not an SVG.').waitFor();
      const draft = page.getByRole('region', { name: 'acme intranet.svg' });
      await expectPictures(draft, ['Your file', 'Result']);
      expect(await draft.getByLabel('Name', { exact: true }).inputValue()).to.equal('Acme Intranet');
      expect(await draft.getByLabel('Slug').inputValue()).to.equal('acme-intranet');
      await draft.getByRole('button', { name: 'Use #CC0000' }).click();
      await draft.getByLabel('Domains').fill('intranet.corp\nhttps://nas.local:8080/x');
      expect(await violations(page)).to.deep.equal([]);
      expect(requests, 'nothing is saved before').to.deep.equal(['POST /v1/drawings']);
      await draft.getByRole('button', { name: 'Save brand' }).click();
      await heading(page, '1 brand').waitFor();
      await page.getByText('acme-intranet · intranet.corp, nas.local').waitFor();
      expect(requests).to.deep.equal(['POST /v1/drawings', 'PUT /v1/brands?atomic=1']);
      const headers = { 'X-API-Key': owner.apiKey };
      const picture = await (await fetch(`${server.base}/v1/logo/nas.local?format=svg`, { headers })).text();
      expect(picture.toLowerCase()).to.include('#cc0000');

      await page.getByRole('button', { name: 'Edit Acme Intranet' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Acme');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText('Your file replaces the “default” drawing and the drawings derived from it (mono).')
        .waitFor();
      await dialog.getByAltText('The current “default” drawing, on a light background').waitFor();
      await dialog.getByLabel('SVG file').setInputFiles([file('new.svg', svg('#00aa00'))]);
      await expectPictures(dialog, ['Your file', 'Result']);
      await dialog.getByAltText('The current “default” drawing, on a dark background').waitFor();
      expect(await violations(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Replace drawing' }).click();
      await page.getByText('Drawing default of Acme replaced').waitFor();
      const replaced = await (await fetch(`${server.base}/v1/svg/acme-intranet`, { headers })).text();
      expect(replaced.toLowerCase()).to.include('#00aa00');

      await page.getByRole('button', { name: 'Remove Acme' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Remove Acme' }).click();
      await page.getByText('Acme is removed.').waitFor();
      // When the visitor leaves the page, the removal becomes final.
      await page.getByRole('link', { name: 'Keys' }).first().click();
      await heading(page, 'Keys').waitFor();
      await page.getByRole('link', { name: 'Brands' }).first().click();
      await heading(page, 'Drop SVG files anywhere on this page').waitFor();
    }));

  it('shows and accepts .svgz and UTF-16, without executing or loading anything of a file', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const page = await signedInPage(visitor, owner, '/brands');
      const attacks = `<script>top.attacked = 1; fetch('/attacked')</script><image href="/attacked.png" width="9" height="9"/>`;
      const hostile = svg('#cc0000')
        .replace('<path', `${attacks.replace(/<image.*/, '')}<path onload="top.attacked = 1"`)
        .replace('<svg', '<svg onload="top.attacked = 1"');
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await choose(
        page,
        { ...file('zipped.svgz', ''), buffer: gzipSync(hostile) },
        { ...file('wide.svg', ''), buffer: Buffer.from(`\uFEFF${svg('#00aa00')}`, 'utf16le') },
        file('loads.svg', svg('#0000cc').replace('<path', `${attacks}<path`)),
      );
      for (const name of ['zipped.svgz', 'wide.svg', 'loads.svg'])
        await expectPictures(page.getByRole('region', { name }), ['Your file', 'Result']);
      expect(await page.evaluate('top.attacked')).to.equal(undefined);
      expect(requested.filter((url) => url.includes('attacked'))).to.deep.equal([]);
      for (const name of ['zipped', 'wide']) {
        await page
          .getByRole('region', { name: `${name}.svg` })
          .getByRole('button', { name: 'Save brand' })
          .click();
        await page.getByRole('button', { name: new RegExp(`^Drawings of ${name}`, 'i') }).waitFor();
      }
      const answer = await fetch(`${server.base}/v1/svg/zipped`, { headers: { 'X-API-Key': owner.apiKey } });
      expect((await answer.text()).toLowerCase())
        .to.include('#cc0000')
        .and.not.include('attacked');
    }));

  it('explains at the file why it is rejected and how to fix it, and saves no brand without a drawing', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const page = await signedInPage(visitor, owner, '/brands?title=Bad+Company');
      const requests = sent(page);
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload drawings' }).press('Enter');
      await (await chooser).setFiles([file('bad.svg', BAD)]);
      const draft = page.getByRole('region', { name: 'bad.svg' });
      const alert = draft.getByRole('alert');
      await alert.getByText('Convert text to outlines').waitFor();
      expect(await alert.innerText()).to.contain('<text>, line 2');
      const help = alert.getByRole('link');
      expect(await help.getAttribute('href')).to.equal('/docs/guides/drawings#text');
      expect(await help.getAttribute('target')).to.equal('_blank');
      expect((await fetch(server.base + '/docs/guides/drawings')).status).to.equal(200);
      await expectPictures(draft, ['Your file']);
      expect(await draft.getByRole('button').allInnerTexts()).to.deep.equal(['Choose another file', 'Discard']);
      expect(await violations(page)).to.deep.equal([]);

      const again = page.waitForEvent('filechooser');
      await draft.getByRole('button', { name: 'Choose another file' }).press('Enter');
      await (await again).setFiles([file('good.svg', svg('#cc0000'))]);
      const good = page.getByRole('region', { name: 'good.svg' });
      expect(await good.getByLabel('Name', { exact: true }).inputValue()).to.equal('Bad Company');
      expect(await good.getByLabel('Slug').inputValue()).to.equal('bad-company');
      expect(await draft.count()).to.equal(0);
      await good.getByRole('button', { name: 'Discard' }).click();
      await heading(page, 'Drop SVG files anywhere on this page').waitFor();
      expect(requests).to.deep.equal(['POST /v1/drawings', 'POST /v1/drawings']);
    }));

  it('explains in the dialog why a drawing is rejected, and keeps the current one', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey };
      await putBrand(server.base, owner.apiKey, ['default']);
      const page = await signedInPage(visitor, owner, '/brands');
      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      const dialog = page.getByRole('dialog');
      const save = dialog.getByRole('button', { name: 'Replace drawing' });
      expect(await save.isDisabled(), 'without a file').to.equal(true);
      await dialog.getByLabel('SVG file').setInputFiles([file('bad.svg', BAD)]);
      await dialog.getByRole('alert').getByText('Convert text to outlines').waitFor();
      expect(await save.isDisabled()).to.equal(true);
      await dialog.getByLabel('SVG file').setInputFiles([file('photo.png', 'PNG', 'image/png')]);
      await dialog.getByRole('alert').getByText('photo.png: Not an SVG.').waitFor();
      expect(await dialog.getByLabel('SVG file').getAttribute('aria-invalid')).to.equal('true');
      expect(await violations(page)).to.deep.equal([]);
      expect(await dialog.getByRole('link', { name: 'Which drawings are accepted' }).getAttribute('href')).to.equal(
        '/docs/guides/drawings',
      );
      await page.keyboard.press('Escape');
      const kept = await (await fetch(`${server.base}/v1/svg/acme`, { headers })).text();
      expect(kept.toLowerCase()).to.include('#cc0000');
    }));

  it('never overwrites a brand by a new one with its slug, or by an edit of an outdated state', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey, 'Content-Type': 'application/json' };
      const address = `${server.base}/v1/brands/acme`;
      const put = (facts: object) => fetch(address, { method: 'PUT', headers, body: JSON.stringify(facts) });
      const stored = async () => ((await (await fetch(address, { headers })).json()) as { brand: object }).brand;
      const facts = { title: 'Acme Corporation', domains: ['acme.corp'], aliases: ['ac'], categories: ['tools'] };
      expect((await put(facts)).status).to.equal(201);
      const page = await signedInPage(visitor, owner, '/brands');
      await choose(page, file('acme.svg', svg('#cc0000')));
      const draft = page.getByRole('region', { name: 'acme.svg' });
      await draft.getByRole('button', { name: 'Save brand' }).click();
      await draft.getByText('You have a brand "acme" already. Change it with Edit').waitFor();
      expect(await draft.getByLabel('Slug').getAttribute('aria-invalid')).to.equal('true');
      expect(await stored())
        .to.include({ title: facts.title })
        .and.deep.include({ domains: facts.domains });

      await page.getByRole('button', { name: 'Edit Acme Corporation' }).click();
      const dialog = page.getByRole('dialog');
      expect((await put({ ...facts, aliases: ['meanwhile'] })).status).to.equal(200);
      await dialog.getByLabel('Name', { exact: true }).fill('Late');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('This brand was changed or removed in another window').waitFor();
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

  it('saves a brand with its drawing or not at all, under the slug in its hint', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey };
      const page = await signedInPage(visitor, owner, '/brands');
      const requests = sent(page);
      const archive = '**/v1/brands?atomic=1';
      await page.route(archive, (route) => route.abort());
      await choose(page, file('other.svg', svg('#cc0000')));
      const draft = page.getByRole('region', { name: 'other.svg' });
      await draft.getByLabel('Slug').fill(' Mý logo');
      await draft.getByText('/v1/svg/my-logo').waitFor();
      await draft.getByRole('button', { name: 'Save brand' }).click();
      await draft.getByRole('alert').waitFor();
      const { total } = (await (await fetch(`${server.base}/v1/brands`, { headers })).json()) as { total: number };
      expect(total).to.equal(0);
      await page.unroute(archive);

      await draft.getByLabel('Color').fill('reddish');
      await draft.getByRole('button', { name: 'Save brand' }).click();
      await draft.getByText('Not a color such as #1D9BF0.').waitFor();
      expect(await draft.getByLabel('Color').getAttribute('aria-invalid')).to.equal('true');
      await draft.getByLabel('Color').fill('#CC0000');
      await draft.getByText('More', { exact: true }).click();
      await draft.getByLabel('Other names').fill('mine');
      await draft.getByLabel('Guidelines').fill('https://example.com/rules');
      await draft.getByRole('button', { name: 'Save brand' }).click();
      await draft.waitFor({ state: 'detached' });
      expect(requests).to.deep.equal([
        'POST /v1/drawings',
        ...Array<string>(3).fill('PUT /v1/brands?atomic=1'),
        'PATCH /v1/brands/my-logo',
      ]);
      const stored = (await (await fetch(`${server.base}/v1/brands/my-logo`, { headers })).json()) as { brand: object };
      expect(stored.brand).to.deep.include({
        ...{ title: 'Other', hex: '#CC0000', aliases: ['mine'], guidelines: 'https://example.com/rules' },
      });
      expect((await fetch(`${server.base}/v1/svg/my-logo`, { headers })).status).to.equal(200);
    }));

  it('replaces and removes drawings of any uploaded variant, and marks them', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      const headers = { 'X-API-Key': owner.apiKey };
      await putBrand(server.base, owner.apiKey, ['default', 'badge']);
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
      await dialog.getByText('Your file replaces the “mono” drawing, which is derived').waitFor();
      await dialog.getByRole('button', { name: 'Upload drawing' }).waitFor();
      expect(await remove.count(), 'for a derived one').to.equal(0);
      await variant.selectOption('wordmark');
      await dialog.getByText('There is no “wordmark” drawing yet.').waitFor();
      expect(await dialog.getByAltText(/The current “wordmark” drawing/).count()).to.equal(0);
      await variant.selectOption('badge');
      await dialog.getByAltText('The current “badge” drawing, on a light background').waitFor();
      await dialog.getByLabel('SVG file').setInputFiles([file('new.svg', svg('#00aa00'))]);
      await dialog.getByRole('button', { name: 'Replace drawing' }).click();
      await page.getByText('Drawing badge of Acme replaced').waitFor();
      const badge = () => fetch(`${server.base}/v1/svg/acme?variant=badge`, { headers });
      expect((await (await badge()).text()).toLowerCase()).to.include('#00aa00');

      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      await variant.selectOption('badge');
      await remove.click();
      const question = page.getByRole('dialog', { name: 'Remove badge of Acme' });
      await question.getByAltText('The current “badge” drawing, on a light background').waitFor();
      expect(await violations(page)).to.deep.equal([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await remove.click();
      await question.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Drawing badge of Acme removed').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect((await badge()).status, 'no such variant').to.equal(400);
    }));

  it('leaves dropped text to the fields, and keeps errors in place', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/brands');
      await choose(page, file('acme.svg', svg('#cc0000')), file('photo.png', 'PNG', 'image/png'));
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

  it('gives files dropped on a dialog to the dialog, not to the page behind it', () =>
    withVisitor(async (visitor, { account, server }) => {
      const owner = await account();
      await putBrand(server.base, owner.apiKey, ['default']);
      const page = await signedInPage(visitor, owner, '/brands');
      await page.getByRole('button', { name: 'Drawings of Acme' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Variant').waitFor();
      const drop = (place: string) => `(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(svg('#00aa00'))}], 'dropped.svg', { type: 'image/svg+xml' }));
        return document.querySelector('${place}').dispatchEvent(
          new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
        );
      })()`;
      expect(await page.evaluate(drop('dialog')), 'on its edge').to.equal(false);
      expect(await page.evaluate(drop('dialog select'))).to.equal(false);
      await expectPictures(dialog, ['Your file', 'Result']);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByRole('region', { name: 'dropped.svg' }).count()).to.equal(0);
    }));

  for (const options of [{ width: 390 }, { colorScheme: 'dark' }] as const)
    it(`fits ${JSON.stringify(options)}`, () =>
      withVisitor(async (visitor, { account }) => {
        const page = await signedInPage(visitor, await account(), '/brands');
        await choose(page, file('acme.svg', svg('#cc0000')), file('bad.svg', BAD));
        await expectPictures(page.getByRole('region', { name: 'acme.svg' }), ['Your file', 'Result']);
        await page.getByRole('region', { name: 'bad.svg' }).getByRole('alert').waitFor();
        const fits = 'document.documentElement.scrollWidth <= innerWidth';
        expect(await page.evaluate(fits)).to.equal(true);
        expect(await violations(page)).to.deep.equal([]);
        await page.getByRole('button', { name: 'Save brand' }).click();
        await page.getByRole('button', { name: 'Drawings of Acme' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('SVG file').setInputFiles([file('new.svg', svg('#00aa00'))]);
        await expectPictures(dialog, ['Your file', 'Result']);
        expect(await page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth - 2")).to.equal(true);
        expect(await violations(page)).to.deep.equal([]);
      }, options));
});
