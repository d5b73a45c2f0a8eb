// The fake of the Stripe API, for tests.
export { startFakeStripe, type FakeStripe, type FakeStripeOptions } from '../../scripts/fake-stripe/fake-stripe.js';
