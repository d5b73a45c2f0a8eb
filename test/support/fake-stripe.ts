// The fake of the Stripe API, for tests.
export { sellPlans } from '../../scripts/fake-stripe/blazon.js';
export { startFakeStripe, type FakeStripe } from '../../scripts/fake-stripe/fake-stripe.js';
