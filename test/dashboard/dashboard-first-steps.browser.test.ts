// The first steps of a new account on the page /overview.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { heading, signedInPage, withDashboard } from '../support/dashboard.js';

describe('the first steps of an account', () => {
  const withVisitor = withDashboard();

  it('check themselves off one after the other, and disappear', () =>
    withVisitor(async (visitor, { server, account }) => {
      const page = await signedInPage(visitor, await account());
      const steps = page.getByRole('main').locator('.steps > li');
      await steps.first().waitFor();
      const done = async (): Promise<string> =>
        JSON.stringify(
          await Promise.all((await steps.all()).map((step) => step.getByLabel('Done').count().then(Boolean))),
        );
      /** Requests a picture with the publishable key, like a web page does. */
      const show = async (slug: string): Promise<void> => {
        const response = await server.get(`/v1/svg/${slug}?key=${key}`, undefined, { Referer: 'https://example.com/' });
        expect(response.status).to.equal(200);
      };

      expect(await done()).to.equal('[false,false,false]');
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      await eventually(async () => (await done()) === '[true,false,false]', 'the first step');

      const code = await steps.nth(1).locator('code').innerText();
      const [, key = ''] = /key=(blzp_\w+)/.exec(code) ?? expect.fail(code);
      await show('github');
      await eventually(async () => (await done()) === '[true,true,false]', 'the second step');

      await steps.nth(2).getByRole('link', { name: 'Browse the catalog' }).click();
      await heading(page, 'Catalog').waitFor();
      await show('stripe');
      await page.goBack();
      await heading(page, 'Get started').waitFor({ state: 'detached' });
      await page.getByTestId('buckets').waitFor();
      expect(await steps.count()).to.equal(0);
    }));
});
