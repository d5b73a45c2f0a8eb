// Buying a plan in a real browser: the dashboard, the pages of a fake payment provider, and the way back.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { confirmWith, heading, openDashboard, signedInPage, signInOn, type Dashboard } from '../support/dashboard.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';

const SECRET = 'whsec_of_the_tests_only';

describe('billing in the dashboard', () => {
  let stripe: FakeStripe | undefined;
  let dashboard: Dashboard | undefined;
  before(async function () {
    stripe = await startFakeStripe();
    dashboard = await openDashboard(this, { ...sellPlans(stripe, SECRET) });
  });
  after(async () => {
    await dashboard?.close();
    await stripe?.close();
  });

  const upgrade = async (page: Page) => {
    await page.getByRole('button', { name: 'Upgrade to pro' }).click();
    await confirmWith(page, 'Go to payment');
    await heading(page, 'Checkout').waitFor();
  };

  it('sells a plan, whose page comes back before the payment is reported; portal, cancel, resume', async () => {
    const { server, visitor, account } = dashboard!;
    const buyer = await visitor();
    const front = await buyer.open('/');
    const offer = front.getByRole('link', { name: 'Upgrade to pro' });
    expect(await offer.getAttribute('href')).to.equal('/sign-in?next=/billing');
    await front.close();
    const page = await signedInPage(buyer, await account(), '/billing');
    await page.getByText('Without a subscription').waitFor();
    await page.getByText('$9 a month').waitFor();
    await page.getByRole('button', { name: 'Yearly' }).click();
    await page.getByText('$90 a year').waitFor();
    await page.getByRole('button', { name: 'Monthly' }).click();

    await upgrade(page);
    await page.getByText('9.00 USD').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('nothing was paid').waitFor();
    expect(page.url()).to.equal(`${server.base}/billing`);
    await page.getByText('Without a subscription').waitFor();

    await upgrade(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Waiting for the payment provider').waitFor();
    await page.getByText('Without a subscription').waitFor();
    const webhook = `${server.base}/v1/billing/webhook`;
    for (const event of stripe!.events) await stripe!.deliver(event, webhook, { secret: SECRET });
    // Without a reload.
    await page.getByText('Thank you. Your plan is pro now').waitFor();
    await page.getByText('Paid by the month').waitFor();
    await page.getByText('Renews on').waitFor();
    await page.getByRole('button', { name: 'Upgrade to pro' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Renews on').waitFor();
    expect(await page.getByText('Thank you').count(), 'thanks after a reload').to.equal(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('of 100,000').first().waitFor();
    await page.getByRole('link', { name: 'Billing' }).first().click();

    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await confirmWith(page, 'Cancel the subscription', 'not the password at all');
    await page.getByText('password is wrong').waitFor();
    await confirmWith(page, 'Cancel the subscription');
    await page.getByText('Ends on').waitFor();
    await page.getByRole('button', { name: 'Keep the subscription' }).click();
    await confirmWith(page, 'Keep it');
    await page.getByText('Renews on').waitFor();

    const endDeliveries = stripe!.deliverTo(webhook, { secret: SECRET });
    await page.getByRole('button', { name: 'Payment method and invoices' }).click();
    await confirmWith(page, 'Open the page');
    await heading(page, 'Your subscriptions').waitFor();
    await page.getByRole('button', { name: 'Cancel at period end' }).click();
    await page.getByText('canceled at').waitFor();
    await stripe!.delivered();
    endDeliveries();
    await page.getByRole('link', { name: 'Back' }).click();
    await heading(page, 'Billing').waitFor();
    await page.getByText('Ends on').waitFor();
    const faults = buyer.faults().filter((fault) => !fault.startsWith(`asked ${stripe!.base}/`));
    expect(faults).to.deep.equal([]);
    await buyer.context.close();
  });

  it('thanks after a sign-in, too, and says so when the payment is reported first', async () => {
    const { server, visitor, account } = dashboard!;
    const person = await account();
    const page = await signedInPage(await visitor(), person, '/billing');
    const endDeliveries = stripe!.deliverTo(`${server.base}/v1/billing/webhook`, { secret: SECRET });
    await upgrade(page);
    await page.getByRole('button', { name: /^Try/ }).click();
    await heading(page, 'Billing').waitFor();
    await stripe!.delivered();
    endDeliveries();
    await page.getByText('Thank you. Your plan is pro now').waitFor();
    const elsewhere = await (await visitor()).open('/billing?checkout=done');
    await elsewhere.getByText('Sign in to open that page').waitFor();
    await signInOn(elsewhere, person.email);
    await elsewhere.getByText('Thank you. Your plan is pro now').waitFor();
    await elsewhere.getByText('trialing').waitFor();
  });
});
