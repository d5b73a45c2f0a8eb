// Routes of customers and of the billing portal.
import type Stripe from 'stripe';
import { missing } from './api-error.js';
import { namesOf, type ApiRoute } from './api-route.js';
import { createCustomer, deleteCustomer, updateCustomer } from './customers.js';
import type { CustomerFields } from './new-objects.js';
import { newPortalSession } from './new-sessions.js';
import { readMetadata, readUrl, required, type Parameters } from './parameters.js';
import { liveCustomer } from './state.js';

const FIELDS = {
  ...namesOf<Stripe.CustomerCreateParams>('description', 'email', 'expand', 'metadata', 'name', 'phone'),
  ...namesOf<Stripe.CustomerCreateParams>('address', 'preferred_locales', 'tax_exempt'),
};

/** Only those that are given; an empty text is null. */
function givenFields(parameters: Parameters): Partial<CustomerFields> {
  const fields: Partial<Record<'description' | 'email' | 'name' | 'phone', string | null>> = {};
  for (const name of ['description', 'email', 'name', 'phone'] as const) {
    const value = parameters.get(name);
    if (value !== undefined) fields[name] = value === '' ? null : value;
  }
  return fields;
}

export const customerRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/customers',
    known: FIELDS,
    run: (state, { parameters }) =>
      createCustomer(state, {
        description: null,
        email: null,
        name: null,
        phone: null,
        ...givenFields(parameters),
        metadata: readMetadata(parameters, 'metadata'),
      }),
  },
  {
    method: 'GET',
    path: '/v1/customers/{id}',
    known: { expand: true },
    run(state, { id }) {
      const customer = state.customers.get(id);
      if (!customer) throw missing('customer', id);
      return customer;
    },
  },
  {
    method: 'POST',
    path: '/v1/customers/{id}',
    known: FIELDS,
    run(state, { id, parameters }) {
      const customer = liveCustomer(state, id);
      const metadata = readMetadata(parameters, 'metadata', customer.metadata);
      updateCustomer(state, customer, { ...givenFields(parameters), metadata });
      return customer;
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/{id}',
    known: {},
    run: (state, { id }) => deleteCustomer(state, id),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    known: namesOf<Stripe.BillingPortal.SessionCreateParams>(
      'configuration',
      'customer',
      'expand',
      'locale',
      'return_url',
    ),
    run(state, { parameters }) {
      const customer = liveCustomer(state, required(parameters, 'customer'), 'customer');
      const session = newPortalSession(state, customer.id, readUrl(parameters, 'return_url') ?? null);
      state.portals.set(new URL(session.url).pathname, session);
      return session;
    },
  },
];
