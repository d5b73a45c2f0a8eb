// New sessions of Checkout and of the customer portal with all their fields.
import { newId, type State } from './state.js';
import type { CheckoutSession, PortalSession } from './wire.js';

export interface SessionFields extends Pick<
  CheckoutSession,
  | 'allow_promotion_codes'
  | 'cancel_url'
  | 'client_reference_id'
  | 'customer'
  | 'customer_email'
  | 'expires_at'
  | 'metadata'
  | 'success_url'
> {
  readonly amount: number;
  readonly currency: string;
}

const PLAIN_SESSION = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_details: null,
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: { enabled: false },
  mode: 'subscription',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always'],
    payment_method_remove: 'disabled',
    payment_method_save: null,
  },
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
} satisfies Partial<CheckoutSession>;

export function newSession(state: State, { amount, currency, ...fields }: SessionFields): CheckoutSession {
  const id = newId('cs_test_a1', 56);
  return {
    ...structuredClone(PLAIN_SESSION),
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    created: state.nowSeconds(),
    currency,
    customer_creation: fields.customer === null ? 'always' : null,
    url: `${state.base}/c/pay/${id}`,
    ...fields,
  };
}

export function newPortalSession(state: State, customer: string, returnUrl: string | null): PortalSession {
  return {
    id: newId('bps_1'),
    object: 'billing_portal.session',
    configuration: 'bpc_1fake',
    created: state.nowSeconds(),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${state.base}/p/session/test_${newId('', 32)}`,
  };
}
