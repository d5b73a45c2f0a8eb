// Checks of the environment variables, for the command `doctor`.
import { resolve } from 'node:path';
import { isCluster, PRICE_VARIABLES, type Env } from '../../config/env.js';
import { isMailPasswordOpen } from '../../config/mail-variables.js';
import { isLoopback } from '../../config/urls.js';
import { LINK_LIFETIME_MS } from '../accounts/email-link.js';
import { failure, ok, warning, type Finding } from '../platform/doctor-finding.js';
import { DAY_MS } from '../platform/time.js';

/**
 * Minimum number of different characters in a secret. A random secret of at least 32 bytes has more than this. A secret
 * that was typed by hand may have fewer.
 */
const FEWEST_DISTINCT = 12;
/** Days for which an old secret must be kept. After this time, all mailed links that it has signed are expired. */
const OLD_SECRET_DAYS = Math.ceil(Math.max(...Object.values(LINK_LIFETIME_MS)) / DAY_MS);

/** Returns the findings. `mailServerFault`: reason why the mail server cannot be used; undefined if it can be used. */
export function settingFindings(env: Env, mailServerFault: string | undefined): Finding[] {
  return [publicUrl(env), proxies(env), secrets(env), mails(env, mailServerFault), billing(env)];
}

function publicUrl({ PUBLIC_URL: text }: Env): Finding {
  const { protocol, hostname } = new URL(text);
  if (isLoopback(hostname))
    return warning(
      'PUBLIC_URL',
      `${text} is only reachable from this machine: links in mails and pages do not work on other machines.`,
      'Set PUBLIC_URL to the https:// URL that clients use. For local use, leave it.',
    );
  if (protocol === 'https:') return ok('PUBLIC_URL', `${text}; cookies are Secure.`);
  return warning(
    'PUBLIC_URL',
    `${text} is plain HTTP: passwords and keys are sent unencrypted, and cookies are not Secure.`,
    'Put a TLS proxy in front of the service, set PUBLIC_URL to its https:// URL, and unset INSECURE_HTTP.',
  );
}

function proxies({ PUBLIC_URL: text, HOST: host, TRUST_PROXY: trustedProxies }: Env): Finding {
  const isBehindProxy = text.startsWith('https:');
  if (isBehindProxy && trustedProxies === 0)
    return failure(
      'TRUST_PROXY',
      'PUBLIC_URL is https, so there must be a proxy. Because no proxy is trusted, all clients seem to have the IP ' +
        'address of the proxy, and share one rate limit.',
      'Set TRUST_PROXY to the number of proxies between clients and this service, usually 1.',
    );
  if (!isBehindProxy && trustedProxies > 0 && host !== '127.0.0.1')
    return warning(
      'TRUST_PROXY',
      `TRUST_PROXY is ${trustedProxies}, but PUBLIC_URL is plain HTTP: without a proxy, clients can forge their ` +
        'IP address.',
      'Set TRUST_PROXY=0 if clients reach this service directly.',
    );
  return ok('TRUST_PROXY', `${trustedProxies} trusted.`);
}

function secrets(env: Env): Finding {
  const { JWT_SECRET: given } = env;
  if (given.length === 0) {
    return isCluster(env)
      ? failure(
          'JWT_SECRET',
          'The variable is not set.',
          'Generate a secret with openssl rand -base64 48, and set it for all processes.',
        )
      : ok('JWT_SECRET', 'The variable is not set. The service generates a secret in DATA_DIR.');
  }
  const weak = given.findIndex((secret) => new Set(secret).size < FEWEST_DISTINCT);
  const usable = `${given.length} with at least 32 bytes each; the first one signs.`;
  if (weak === -1 && given.length === 1) return ok('JWT_SECRET', usable);
  if (weak === -1)
    return ok(
      'JWT_SECRET',
      `${usable} The others can be removed ${OLD_SECRET_DAYS} days after the first one was added, if the secrets of webhook endpoints were rotated since then.`,
    );
  return warning(
    'JWT_SECRET',
    `Secret ${weak + 1} has fewer than ${FEWEST_DISTINCT} different characters and can be guessed.`,
    `Put a random secret first. Remove this one ${OLD_SECRET_DAYS} days later, when the secrets of webhook endpoints are rotated: openssl rand -base64 48`,
  );
}

function mails({ SMTP_URL, DATA_DIR }: Env, mailServerFault: string | undefined): Finding {
  if (SMTP_URL === '')
    return warning(
      'SMTP_URL',
      `The variable is not set: mail is written to files in ${resolve(DATA_DIR, 'outbox')}.`,
      'Set SMTP_URL and MAIL_FROM. Until then, open the files there and give the links to the recipients.',
    );
  if (mailServerFault === undefined && isMailPasswordOpen({ SMTP_URL }))
    return warning(
      'SMTP_URL',
      'The mail server works, but tls=off sends its password and all mail unencrypted.',
      'Remove ?tls=off if the mail server supports STARTTLS, or use smtps://.',
    );
  if (mailServerFault === undefined) return ok('SMTP_URL', 'The mail server works.');
  return warning(
    'SMTP_URL',
    `The mail server ${new URL(SMTP_URL).host} cannot be used: ${mailServerFault}`,
    'Correct SMTP_URL, or start the mail server. Unsent mail waits until then.',
  );
}

function billing(env: Env): Finding {
  const { STRIPE_SECRET_KEY: key, PUBLIC_URL: text } = env;
  const isTestMode = key.includes('_test_');
  const missingPrices = PRICE_VARIABLES.filter((name) => env[name].length === 0);
  if (key === '') return ok('billing', 'Disabled: STRIPE_SECRET_KEY is not set.');
  if (missingPrices.length > 0)
    return warning(
      'billing',
      `Some plans are not sold, because these variables are not set: ${missingPrices.join(', ')}.`,
      'Create the prices in Stripe and set these variables, or leave them if that is meant.',
    );
  if (isTestMode && text.startsWith('https:'))
    return warning(
      'billing',
      'The secret key is a test key: no payments are real.',
      'Set STRIPE_SECRET_KEY to the live key.',
    );
  return ok(
    'billing',
    `Stripe, ${isTestMode ? 'test mode' : 'live'}. The URL of its webhook must be ${new URL('/v1/billing/webhook', text).href}`,
  );
}
