// Pages of Checkout and of the customer portal, to try the fake in a browser.
import type { FakeLife } from './life.js';
import type { CheckoutSession, PortalSession, Subscription } from './objects.js';

export interface PageRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Body of the form, form-encoded. */
  readonly body: string;
}

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TRIAL_DAYS = 7;
const STYLE =
  'body{font:16px system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}button{font:inherit;margin:.2rem}';
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
const link = (url: string | null, text: string): string =>
  url === null ? '' : `<p><a href="${escaped(url)}">${escaped(text)}</a></p>`;
const button = (action: string, text: string): string => `<button name="action" value="${action}">${text}</button>`;
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');

function page(title: string, content: string, status = 200): PageReply {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
  };
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style>`;
  return { status, headers, body: `${head}<h1>${title}</h1>${content}` };
}

const redirect = (url: string): PageReply => ({ status: 303, headers: { Location: url }, body: '' });

/**
 * Creates the function that responds with the pages of Checkout and of the customer portal. `portals`: path of a portal
 * page → session that this page shows.
 */
export function createPages(
  life: FakeLife,
  portals: ReadonlyMap<string, PortalSession>,
): (request: PageRequest) => PageReply {
  return (request) => {
    const session = life.session(/^\/c\/pay\/(cs_\w+)$/.exec(request.path)?.[1] ?? '');
    const portal = portals.get(request.path);
    if (session) return checkoutPage(life, session, request);
    return portal ? portalPage(life, portal, request) : page('Not found', '<p>This is the fake of Stripe.</p>', 404);
  };
}

function checkoutPage(life: FakeLife, session: CheckoutSession, { method, body }: PageRequest): PageReply {
  const { id, status, amount_total: cents, currency, success_url: next, cancel_url: back } = session;
  if (status !== 'open') return page('Checkout', `<p>It is ${status}.</p>${link(next, 'Back')}`);
  const action = method === 'POST' ? new URLSearchParams(body).get('action') : null;
  if (action === 'pay' || action === 'trial') {
    life.completeCheckout(id, action === 'trial' ? { trialDays: TRIAL_DAYS } : {});
    return redirect(next.replaceAll('{CHECKOUT_SESSION_ID}', id));
  }
  const amount = `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;
  const declined = action === 'decline' ? '<p role="alert">Your card was declined.</p>' : '';
  const buttons = [button('pay', 'Pay'), button('trial', `Try ${TRIAL_DAYS} days`), button('decline', 'Decline')];
  const form = `<form method="post">${buttons.join('')}</form>`;
  return page('Checkout', `<p>${escaped(amount)}</p>${declined}${form}${link(back, 'Cancel')}`);
}

const ACTIONS: Readonly<Record<string, { text: string; run: (life: FakeLife, id: string) => unknown }>> = {
  cancel: { text: 'Cancel at period end', run: (life, id) => life.cancelInPortal(id) },
  resume: { text: 'Do not cancel', run: (life, id) => life.resumeInPortal(id) },
  now: { text: 'Cancel now', run: (life, id) => life.cancelNow(id) },
  end: { text: 'End of period now', run: (life, id) => life.endPeriod(id) },
  fail: { text: 'Payment fails', run: (life, id) => life.failPayment(id) },
  pay: { text: 'Pay open invoices', run: (life, id) => life.pay(id) },
};

function portalPage(life: FakeLife, portal: PortalSession, { method, path, body }: PageRequest): PageReply {
  const { flow } = portal;
  if (flow) {
    if (method !== 'POST')
      return page(
        'Confirm your updates',
        `<p>${escaped(flow.price)}</p><form method="post">${button('confirm', 'Confirm')}</form>${link(portal.return_url, 'Back')}`,
      );
    life.changePrice(flow.subscription, flow.price);
    return redirect(flow.after);
  }
  const subscriptions = life.subscriptionsOf(portal.customer);
  if (method === 'POST') {
    const form = new URLSearchParams(body);
    const name = form.get('action') ?? '';
    const chosen = subscriptions.find(
      ({ id, ended_at: endedAt }) => id === form.get('subscription') && endedAt === null,
    );
    if (chosen && Object.hasOwn(ACTIONS, name)) ACTIONS[name]?.run(life, chosen.id);
    return redirect(path);
  }
  const list = subscriptions.map(describe).join('') || '<p>There is no subscription.</p>';
  return page('Your subscriptions', `${list}${link(portal.return_url, 'Back')}`);
}

function describe({ id, status, items, cancel_at: cancelAt, ended_at: endedAt }: Subscription): string {
  const [item] = items.data;
  const until = item ? `, until ${dayOf(item.current_period_end)}` : '';
  const end = cancelAt === null ? '' : `, canceled at ${dayOf(cancelAt)}`;
  const buttons = Object.entries(ACTIONS).map(([action, { text }]) => button(action, text));
  const form = `<form method="post"><input type="hidden" name="subscription" value="${id}">${buttons.join('')}</form>`;
  return `<h2>${escaped(item?.price.id ?? id)}</h2><p>${status}${until}${end}</p>${endedAt === null ? form : ''}`;
}
