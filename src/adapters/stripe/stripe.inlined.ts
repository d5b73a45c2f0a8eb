// Stripe's official client: built into this module, since its package is 22 MB.
export { Stripe } from 'stripe';
