// Checks of the settings by the doctor command.
import { isCluster, PRICE_VARIABLES, type Env } from '../../config/env.js';
import { isMailPasswordOpen } from '../../config/mail-variables.js';
import { isLoopback } from '../../config/urls.js';
import { LINK_LIFETIME_MS } from '../accounts/email-link.js';
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { DAY_MS } from '../platform/time.js';

/**
 * Least number of different characters in a secret. A random secret of at least 32 bytes has more, a hastily typed one
 * may not.
 */
const FEWEST_DISTINCT = 12;
/** Days for which an old secret must be kept: until the last mailed link signed with it has expired. */
const OLD_SECRET_DAYS = Math.ceil(Math.max(...Object.values(LINK_LIFETIME_MS)) / DAY_MS);

/** Returns the findings about the settings. `mailServerFault`: why the mail server cannot be used. */
export function settingFindings(env: Env, mailServerFault: string | undefined): Finding[] {
  return [publicUrl(env), proxies(env), secrets(env), mails(env, mailServerFault), billing(env)];
}

function publicUrl({ PUBLIC_URL: text }: Env): Finding {
  const { protocol, hostname } = new URL(text);
  if (isLoopback(hostname))
    return warning(
      'PUBLIC_URL',
      `${text} is this machine only: links in mails and pages lead nowhere from elsewhere.`,
      'Set PUBLIC_URL to the https:// address that clients use; on a machine of your own, leave it.',
    );
  if (protocol === 'https:') return ok('PUBLIC_URL', `${text}; cookies are Secure.`);
  return warning(
    'PUBLIC_URL',
    `${text} is plain http: passwords and keys can be read on the way, and cookies are not Secure.`,
    'Put a proxy with TLS in front, set PUBLIC_URL to its https:// address, and unset INSECURE_HTTP.',
  );
}

function proxies({ PUBLIC_URL: text, HOST: host, TRUST_PROXY: trustedProxies }: Env): Finding {
  const isBehindProxy = text.startsWith('https:');
  if (isBehindProxy && trustedProxies === 0)
    return failure(
      'TRUST_PROXY',
      'PUBLIC_URL is https, which a proxy must answer, but no proxy is trusted: all clients have its address and share one rate limit.',
      'Set TRUST_PROXY to the number of proxies between clients and this service, mostly 1.',
    );
  if (!isBehindProxy && trustedProxies > 0 && host !== '127.0.0.1')
    return warning(
      'TRUST_PROXY',
      `${trustedProxies} trusted, but PUBLIC_URL is plain http: without a proxy, clients choose their own address.`,
      'Set TRUST_PROXY=0 when clients reach this service directly.',
    );
  return ok('TRUST_PROXY', `${trustedProxies} trusted.`);
}

function secrets(env: Env): Finding {
  const { JWT_SECRET: given } = env;
  if (given.length === 0) {
    return isCluster(env)
      ? failure('JWT_SECRET', 'It is not set.', 'Set the same one for all processes: openssl rand -base64 48')
      : ok('JWT_SECRET', 'Not set; one is generated into DATA_DIR.');
  }
  const weak = given.findIndex((secret) => new Set(secret).size < FEWEST_DISTINCT);
  const usable = `${given.length} of at least 32 bytes; the first signs.`;
  if (weak === -1 && given.length === 1) return ok('JWT_SECRET', usable);
  if (weak === -1)
    return ok(
      'JWT_SECRET',
      `${usable} The others may be removed ${OLD_SECRET_DAYS} days after the first was put in front of them.`,
    );
  return warning(
    'JWT_SECRET',
    `Number ${weak + 1} has fewer than ${FEWEST_DISTINCT} different characters: it can be guessed.`,
    `Put a random one in front, and remove this one ${OLD_SECRET_DAYS} days later: openssl rand -base64 48`,
  );
}

function mails({ SMTP_URL }: Env, mailServerFault: string | undefined): Finding {
  if (SMTP_URL === '')
    return warning(
      'SMTP_URL',
      'Not set: mails are written as files into DATA_DIR/outbox.',
      'Set SMTP_URL and MAIL_FROM.',
    );
  if (mailServerFault === undefined && isMailPasswordOpen({ SMTP_URL }))
    return warning(
      'SMTP_URL',
      'The mail server answers, but tls=off sends its password and all mails unencrypted.',
      'Remove ?tls=off when the mail server offers STARTTLS, or use smtps://.',
    );
  if (mailServerFault === undefined) return ok('SMTP_URL', 'The mail server answers; mails go there.');
  return warning(
    'SMTP_URL',
    `The mail server ${new URL(SMTP_URL).host} cannot be used: ${mailServerFault}`,
    'Correct SMTP_URL, or start that server: mails wait until then.',
  );
}

function billing(env: Env): Finding {
  const { STRIPE_SECRET_KEY: key, PUBLIC_URL: text } = env;
  const isTestMode = key.includes('_test_');
  const missingPrices = PRICE_VARIABLES.filter((name) => env[name].length === 0);
  if (key === '') return ok('billing', 'Off: STRIPE_SECRET_KEY is not set.');
  if (missingPrices.length > 0)
    return warning(
      'billing',
      `Some plans are not sold: ${missingPrices.join(', ')} not set.`,
      'Create the prices in Stripe and set these variables, or leave them if that is meant.',
    );
  if (isTestMode && text.startsWith('https:'))
    return warning(
      'billing',
      'The secret key is of the test mode: no payment is real.',
      'Set the live STRIPE_SECRET_KEY.',
    );
  return ok(
    'billing',
    `Stripe, ${isTestMode ? 'test mode' : 'live'}; point its webhook to ${new URL('/v1/billing/webhook', text).href}`,
  );
}
