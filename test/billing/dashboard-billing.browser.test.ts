// Buying a plan in a real browser: the dashboard, the pages of a fake payment provider, and the way back to the
// dashboard.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violations } from '../support/axe.js';
import { confirmWith, heading, openDashboard, signedInPage, signInOn, type Dashboard } from '../support/dashboard.js';
import { sellPlans, startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';

const MINUTE_MS = 60_000;
const SECRET = 'whsec_of_the_tests_only';

describe('billing in the dashboard', () => {
  let stripe: FakeStripe | undefined;
  let dashboard: Dashboard | undefined;
  let skippedMs = 0;
  before(async function () {
    stripe = await startFakeStripe({ now: () => Date.now() + skippedMs });
    dashboard = await openDashboard(this, { ...sellPlans(stripe, SECRET) }, () => Date.now() + skippedMs);
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
  /** Confirms the action in its dialog. The dialog does not ask for the password again within five minutes. */
  const go = async (page: Page, action: string) => {
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: action });
    await button.waitFor();
    expect(await dialog.getByLabel('Your password').count(), action).to.equal(0);
    await button.click();
  };

  it('sells a plan without an event of the payment; portal, cancel, resume', async () => {
    const { server, visitor, account } = dashboard!;
    const buyer = await visitor();
    const front = await buyer.open('/');
    const offer = front.getByRole('link', { name: 'Upgrade to pro' });
    expect(await offer.getAttribute('href')).to.equal('/sign-in?next=/billing');
    await front.close();
    const page = await signedInPage(buyer, await account(), '/billing');
    await page.getByText('No subscription').waitFor();
    await page.getByText('$9 a month').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page), colorScheme).to.deep.equal([]);
    }
    const pro = page.getByRole('region', { name: 'The pro plan' });
    for (const text of [
      'SVG pictures\n100,000',
      'Domain lookups\n20,000',
      'Batch lookups\n5,000',
      'Requests a second\n500',
    ])
      expect(await pro.innerText()).to.include(text);
    await page.getByRole('region', { name: 'The free plan' }).getByText('Your plan').waitFor();
    await page.getByRole('button', { name: 'Yearly' }).click();
    await page.getByText('$90 a year').waitFor();
    await page.getByRole('button', { name: 'Monthly' }).click();

    await upgrade(page);
    await page.getByText('9.00 USD').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('nothing was paid').waitFor();
    expect(page.url()).to.equal(`${server.base}/billing`);
    await page.getByText('No subscription').waitFor();

    await page.getByRole('button', { name: 'Upgrade to pro' }).click();
    await go(page, 'Go to payment');
    await heading(page, 'Checkout').waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    // The page updates without a reload.
    await page.getByText('Thank you. Your plan is pro now').waitFor();
    await page.getByText('Billed every month').waitFor();
    await page.getByText('Renews on').waitFor();
    await page.getByRole('button', { name: 'Upgrade to pro' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Renews on').waitFor();
    expect(await page.getByText('Thank you').count(), 'thanks after a reload').to.equal(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('of 100,000').first().waitFor();
    await page.getByRole('link', { name: 'Billing' }).first().click();

    // After five minutes, the service requires the password again, even if the page does not expect this.
    skippedMs += 5 * MINUTE_MS;
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await go(page, 'Cancel subscription');
    await page.getByText('Required, because it was not sent in the last five minutes').waitFor();
    await confirmWith(page, 'Cancel subscription', 'not the password at all');
    await page.getByText('password is wrong').waitFor();
    await confirmWith(page, 'Cancel subscription');
    await page.getByText('Ends on').waitFor();
    await page.getByRole('button', { name: 'Keep the subscription' }).click();
    await go(page, 'Keep subscription');
    await page.getByText('Renews on').waitFor();

    await page.getByRole('button', { name: 'Payment method and invoices' }).click();
    await go(page, 'Continue');
    await heading(page, 'Your subscriptions').waitFor();
    await page.getByRole('button', { name: 'Cancel at period end' }).click();
    await page.getByText('canceled at').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await heading(page, 'Billing').waitFor();
    await page.getByText('Ends on').waitFor();
    const faults = buyer.faults().filter((fault) => !fault.startsWith(`asked ${stripe!.base}/`));
    expect(faults).to.deep.equal([]);
    await buyer.context.close();
  });

  it('changes the plan on its confirmation page, or in the portal if that offers no change', async () => {
    const { server, visitor, account } = dashboard!;
    const page = await signedInPage(await visitor(), await account(), '/billing');
    const endDeliveries = stripe!.deliverTo(`${server.base}/v1/billing/webhook`, { secret: SECRET });
    await upgrade(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Thank you. Your plan is pro now').waitFor();
    const pro = page.getByRole('region', { name: 'The pro plan' });
    await pro.getByText('Your plan').waitFor();
    expect(await pro.getByRole('button').count(), 'the plan that is there').to.equal(0);
    const enterprise = page.getByRole('button', { name: 'Change to enterprise' });
    stripe!.allowPlanChanges(false);
    await enterprise.click();
    await go(page, 'Go on');
    await heading(page, 'Your subscriptions').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    stripe!.allowPlanChanges(true);
    await page.getByRole('button', { name: 'Yearly' }).click();
    await pro.getByRole('button', { name: 'Change to yearly billing' }).waitFor();
    await enterprise.click();
    await go(page, 'Go on');
    await heading(page, 'Confirm your updates').waitFor();
    await page.getByText('price_enterprise_year').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Thank you. Your plan is enterprise now').waitFor();
    await page.getByText('Billed every year').waitFor();
    await stripe!.delivered();
    endDeliveries();
  });

  it('shows a subscription without a plan, which can be canceled, and a pause of the payments', async () => {
    const page = await signedInPage(await dashboard!.visitor(), await dashboard!.account(), '/billing');
    await upgrade(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Thank you. Your plan is pro now').waitFor();
    const { customer } = stripe!.sessions()[0]!;
    const { id } = stripe!.subscriptionsOf(customer)[0]!;
    stripe!.pauseCollection(id);
    // Advances the clock, because the service sends at most one request to Stripe every five seconds.
    skippedMs += 5000;
    await page.goto(`${dashboard!.server.base}/billing?checkout=back`);
    await page.getByText('The operator has paused your payments. You keep the plan.').waitFor();
    stripe!.price({ id: 'price_of_something_else', amount: 100, interval: 'month' });
    stripe!.changePrice(id, 'price_of_something_else');
    skippedMs += 5000;
    await page.goto(`${dashboard!.server.base}/billing?checkout=back`);
    await page.getByText('belongs to none of the plans below').waitFor();
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await go(page, 'Cancel subscription');
    await page.getByText('Ends on').waitFor();
    expect(stripe!.subscription(id).cancel_at_period_end).to.equal(true);
  });

  it('thanks the customer even after a sign-in, and if the payment is reported first', async () => {
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
