// The page of webhooks in a real browser: endpoints, secrets, deliveries, and e-mails about quotas.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { violations } from '../support/axe.js';
import { signedInPage, withDashboard } from '../support/dashboard.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

describe('the page of webhooks', () => {
  const variables: Record<string, string> = {};
  let receiver: WebhookReceiver | undefined;
  before(async () => {
    receiver = await startWebhookReceiver();
    variables.WEBHOOK_ORIGINS = receiver.origin;
  });
  const withVisitor = withDashboard(variables);
  after(() => receiver?.close());

  it('adds an endpoint, shows its secret once, sends a test event, and removes the endpoint', () =>
    withVisitor(async (visitor, { account, server }) => {
      server.service.startJobs();
      const page = await signedInPage(visitor, await account(), '/webhooks');
      await page.getByRole('heading', { name: 'Receive events on your server' }).waitFor();
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Add endpoint' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
      await dialog.getByLabel('The API key was replaced').check();
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      await dialog.locator('.field-error').waitFor();
      await dialog.getByLabel('URL').fill(`${receiver!.origin}/hook`);
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      expect(await page.getByTestId('webhook-secret').innerText()).to.match(/^whsec_/);
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByText(`${receiver!.origin}/hook`).waitFor();

      await page.getByRole('button', { name: 'Send a test event' }).click();
      await eventually(() => Promise.resolve(receiver!.requests.length > 0 || undefined), 'the test event');
      await page.getByRole('button', { name: 'Deliveries' }).click();
      await page.getByText('webhook.test').waitFor();
      await page.getByText('Delivered (status 2').waitFor();
      await page.getByRole('button', { name: 'Send again' }).click();
      await eventually(() => Promise.resolve(receiver!.requests.length > 1 || undefined), 'the event again');
      await page.getByRole('button', { name: 'Close', exact: true }).click();

      await page.getByRole('button', { name: 'Remove' }).first().click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('heading', { name: 'Receive events on your server' }).waitFor();
    }));

  it('switches e-mails about quotas', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/webhooks');
      const box = page.getByLabel('Send an e-mail when 80 %');
      await box.waitFor();
      const before = await box.isChecked();
      await box.click();
      await page.getByText(before ? 'Quota e-mails are off' : 'Quota e-mails are on').waitFor();
      await page.reload();
      await box.waitFor();
      await eventually(async () => (await box.isChecked()) === !before || undefined, 'the stored choice');
    }));
});
