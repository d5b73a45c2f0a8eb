// Starts the fake of Stripe, to try billing without a Stripe account.
import { parseUrl } from '../../src/platform/web/parse-url.js';
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { sellPlans, startFakeStripe } from './fake-stripe.js';

interface Flags {
  readonly port: number;
  readonly webhook: string;
}

const { port, webhook } = new Command('npm run fake-stripe --')
  .description('Starts a fake of Stripe with the four prices. Its checkout and portal are pages with buttons.')
  .option('--port <n>', 'port of 127.0.0.1', readPort, 12_111)
  .option(
    '--webhook <url>',
    'address that events are delivered to',
    readUrl,
    'http://localhost:3000/v1/billing/webhook',
  )
  .parse()
  .opts<Flags>();

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('A port from 0 to 65535.');
  return Number(text);
}

function readUrl(text: string): string {
  if (!/^https?:/.test(text) || !parseUrl(text)) throw new InvalidArgumentError('An http or https URL.');
  return text;
}

const secret = `whsec_${randomBytes(16).toString('hex')}`;
const fake = await startFakeStripe({ port });
fake.deliverTo(webhook, { secret }, ({ type, id }, { status }) =>
  console.log(`${type} ${id}: ${status === 0 ? 'no answer' : status}`),
);
console.log('Start Blazon with these variables:\n');
for (const [name, value] of Object.entries(sellPlans(fake, secret))) console.log(`export ${name}=${value}`);
console.log(`\nEvents are delivered to ${webhook}. Press Ctrl+C to stop. Nothing is stored.`);
