// All variables that the service reads, each with its type, default and meaning. Only this file reads process.env.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { CLUSTER_VARIABLES } from './cluster-variables.js';
import { throwConfigError } from './config-error.js';
import { isMailPasswordOpen, MAIL_VARIABLES } from './mail-variables.js';
import { defaultMemoryMb, defaultPicturesMb, MIN_MEMORY_MB } from './memory.js';
import { NETWORK_VARIABLES } from './network-variables.js';
import { OPERATOR_VARIABLES } from './operator-variables.js';
import { similarNames } from './similar-names.js';
import { isBareUrl, isPrivateUrl } from './urls.js';
import { integer, list } from './shared-schemas.js';

const folder = (fallback: string, meaning: string) => ({ schema: z.string(), default: fallback, meaning });

/** Minimum length of an HS256 key, bytes: the length of a SHA-256 hash (RFC 7518, section 3.2). */
const MIN_SECRET_BYTES = 32;

const priceIds = (plan: string, interval: string) =>
  ({
    schema: list((id) => /^price_\w+$/.test(id), 'Stripe price IDs (price_…), separated by commas'),
    default: '',
    meaning: `Stripe price of the ${plan} plan, billed every ${interval}. To replace a price, put the new price before the old price, separated by a comma. New customers buy the first price. If empty: this offer is not sold.`,
  }) as const;

/** Names of the variables that contain ids of Stripe prices. A name contains the plan and the interval. */
export const PRICE_VARIABLES = [
  'STRIPE_PRICE_PRO_MONTH',
  'STRIPE_PRICE_PRO_YEAR',
  'STRIPE_PRICE_ENTERPRISE_MONTH',
  'STRIPE_PRICE_ENTERPRISE_YEAR',
] as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** All variables, each with its schema, default and meaning. docs/configuration.md is generated from them. */
export const VARIABLES = {
  PORT: { schema: integer(0, 65_535), default: '3000', meaning: 'Port of the service. 0 selects a free port.' },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    meaning: 'IP address on which the service listens. `ecosystem.config.js` sets `0.0.0.0` under PM2.',
  },
  DATA_DIR: folder(
    './data',
    'Folder for the embedded database, cached pictures and, without a mail server, outgoing mail.',
  ),
  CONFIG_DIR: folder('', 'Folder for your own versions of files in `config/`, such as `plans.json`.'),
  ...CLUSTER_VARIABLES,
  PUBLIC_URL: {
    schema: z.string().refine(isBareUrl, {
      error:
        'https:// and a host, with an optional port. Path prefixes are not supported: use a separate host name for the service.',
    }),
    default: 'http://localhost:$PORT',
    meaning: 'URL at which clients reach the service. All links start with this URL.',
  },
  INSECURE_HTTP: {
    schema: z.enum(['0', '1'], { error: '0 or 1' }),
    default: '0',
    meaning:
      '`1` allows a PUBLIC_URL with `http://` on any host. Only for trusted networks: passwords and keys are sent unencrypted, and cookies are not `Secure`.',
  },
  JWT_SECRET: {
    schema: list(
      (secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES,
      `secrets of at least ${MIN_SECRET_BYTES} bytes, separated by commas`,
    ),
    default: '',
    meaning:
      'Secret that signs access tokens, links in mails and device cookies. To rotate the secret, put the new secret first and keep the old secret after a comma: the first secret signs, and all secrets are accepted. Keep the old secret for three days, and until older webhook endpoints have new secrets. Required in a cluster. If empty without a cluster: a secret is generated and stored in `DATA_DIR/jwt-secret`.',
    secret: true,
  },
  ...MAIL_VARIABLES,
  REGISTRATION: {
    schema: z.enum(['open', 'verified', 'closed'], { error: 'open, verified or closed' }),
    default: 'open',
    meaning:
      'Who can register. `open`: anyone; the response contains the API key. `verified`: anyone who can open a link in a mail; the link creates the account and shows its key, so no response reveals whether an e-mail address has an account. Requires SMTP_URL. `closed`: no one; the operator creates accounts with `npm run account -- create`.',
  },
  ...OPERATOR_VARIABLES,
  GALLERY: {
    schema: z.enum(['on', 'off'], { error: 'on or off' }),
    default: 'on',
    meaning: '`off` hides the catalog browser from visitors who are not signed in.',
  },
  TRUST_PROXY: {
    schema: integer(0, 10),
    default: '0',
    meaning:
      'Number of reverse proxies in front of the service, to determine client IP addresses. If above 0, only these proxies may be able to reach the port.',
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^(?:(?:sk|rk)_[A-Za-z0-9_]+)?$/, { error: 'a Stripe secret key (sk_…) or restricted key (rk_…)' }),
    default: '',
    meaning:
      'Stripe secret key. If STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are both empty: billing routes return 503 `billing_unavailable`.',
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: list(
      (secret) => /^whsec_\w+$/.test(secret),
      'Stripe webhook signing secrets (whsec_…), separated by commas',
    ),
    default: '',
    meaning:
      'Signing secrets of the Stripe webhook `/v1/billing/webhook`, separated by commas. All secrets are accepted.',
    secret: true,
  },
  STRIPE_PRICE_PRO_MONTH: priceIds('pro', 'month'),
  STRIPE_PRICE_PRO_YEAR: priceIds('pro', 'year'),
  STRIPE_PRICE_ENTERPRISE_MONTH: priceIds('enterprise', 'month'),
  STRIPE_PRICE_ENTERPRISE_YEAR: priceIds('enterprise', 'year'),
  STRIPE_API_BASE: {
    schema: z.string().refine((text) => text === '' || (isBareUrl(text) && isPrivateUrl(text)), {
      error: 'https:// and a host, or http://localhost, with an optional port',
    }),
    default: '',
    meaning: 'URL of a server to use instead of https://api.stripe.com, such as a private gateway or a fake for tests.',
  },
  MEMORY_MB: {
    schema: integer(MIN_MEMORY_MB, 65_536),
    default: String(defaultMemoryMb()),
    meaning:
      'Target memory of one service process, in MB, shared by its caches and buffers. Default: 700, or the memory limit of the container if that is lower. Drawing processes use additional memory.',
  },
  RENDER_THREADS: {
    schema: integer(1, 64),
    default: String(availableParallelism()),
    meaning:
      'Number of expensive PNG and WebP pictures drawn at once. Default: one per core. One additional process draws only cheap pictures.',
  },
  RENDER_QUEUE: {
    schema: integer(1, 100_000),
    default: '256',
    meaning:
      'Maximum number of cheap pictures, and of expensive pictures, that wait to be drawn. If the queue is full, the newest request of the account with the most waiting requests gets 503 `busy`. Previews for visitors use at most one eighth of the queue.',
  },
  RENDER_TIMEOUT_MS: {
    schema: integer(50, 60_000),
    default: '2000',
    meaning: 'Maximum CPU time for drawing one picture, in ms.',
  },
  RENDER_CACHE_MB: {
    schema: integer(1, 65_536),
    default: '128',
    meaning:
      'Memory for cached pictures, including compressed SVG, in MB. The first 128 MB are part of MEMORY_MB; memory above 128 MB is additional. Default: 128, or less if MEMORY_MB is small.',
  },
  RENDER_DISK_CACHE_MB: {
    schema: integer(0, 1_048_576),
    default: '512',
    meaning:
      'Disk space for cached pictures in `DATA_DIR/pictures`, in MB, shared by all processes on the host. 0 disables the disk cache. Pictures of own brands are never stored there.',
  },
  ...NETWORK_VARIABLES,
  METRICS_PORT: {
    schema: integer(0, 65_535),
    default: '0',
    meaning:
      'Port of a second listener on 127.0.0.1 with `/metrics` (Prometheus) and the health checks. Each PM2 process adds its number to the port. 0 disables the listener.',
  },
  NODE_APP_INSTANCE: {
    schema: integer(0, 10_000),
    default: '0',
    meaning: 'Set by PM2: number of this process on its host.',
  },
  UV_THREADPOOL_SIZE: {
    schema: integer(1, 1024),
    default: '4',
    meaning:
      'Read by Node.js: number of threads for password hashing, lossy WebP and file access. Password hashing uses all threads except two, and at most the number of cores minus one.',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }),
    default: 'info',
    meaning: 'Minimum level of log messages.',
  },
} as const;

type Values = { readonly [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]['schema']> };
/** Values of the environment, not yet parsed. */
type Variables = Readonly<Record<string, string | undefined>>;

export interface Env extends Values {
  /** Version of this release, from package.json. */
  readonly VERSION: string;
}

/** Parses the environment. Throws `ConfigError` with one line about the first invalid variable. */
export function readEnv(source: Variables, version: string): Env {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const { schema, default: fallback } = variable;
    const given = source[name] === undefined || source[name] === '' ? fallback : source[name];
    const parsed = schema.safeParse(given.replace('$PORT', String(values.PORT)));
    if (!parsed.success) {
      throwConfigError(
        name,
        'secret' in variable ? '(not shown)' : JSON.stringify(given),
        `allowed: ${parsed.error.issues[0]?.message ?? 'another value'}`,
      );
    }
    values[name] = parsed.data;
  }
  const env = { ...withPicturesPart(values as Values, source), VERSION: version };
  if (env.INSECURE_HTTP === '0' && !isPrivateUrl(env.PUBLIC_URL)) {
    throwConfigError(
      'PUBLIC_URL',
      JSON.stringify(env.PUBLIC_URL),
      'allowed: https://, http://localhost, or http:// and any host together with INSECURE_HTTP=1',
    );
  }
  checkCluster(env);
  checkRegistration(env);
  checkBilling(env);
  checkPrices(env);
  return env;
}

function withPicturesPart(values: Values, { RENDER_CACHE_MB: given = '' }: Variables): Values {
  return given === '' ? { ...values, RENDER_CACHE_MB: defaultPicturesMb(values.MEMORY_MB) } : values;
}

/** Returns true if MongoDB and Redis keep the state, and false for an embedded database. */
export function isCluster({ MONGODB_URI }: Pick<Env, 'MONGODB_URI'>): boolean {
  return MONGODB_URI !== '';
}

function checkCluster(env: Env): void {
  const [given, missing] =
    env.MONGODB_URI === '' ? (['REDIS_URL', 'MONGODB_URI'] as const) : (['MONGODB_URI', 'REDIS_URL'] as const);
  if (env[given] === '') return;
  if (env[missing] === '') {
    // Without this check, a service with only REDIS_URL would ignore REDIS_URL and start with an empty embedded
    // database.
    throwConfigError(
      missing,
      'is not set, but ' + given + ' is',
      'a cluster needs both; unset both to use the embedded database',
    );
  }
  if (env.JWT_SECRET.length === 0)
    throwConfigError(
      'JWT_SECRET',
      'is not set',
      'all processes of a cluster need the same secret: openssl rand -base64 48',
    );
}

/**
 * Throws `ConfigError` for REGISTRATION `verified` without a mail server. The service would write the confirmation
 * mails to files, which new users cannot read.
 */
function checkRegistration({ REGISTRATION, SMTP_URL }: Env): void {
  if (REGISTRATION !== 'verified' || SMTP_URL !== '') return;
  throwConfigError(
    'SMTP_URL',
    'is not set, but REGISTRATION is verified',
    'set SMTP_URL, because links are sent by e-mail',
  );
}

/**
 * Throws `ConfigError` if a price is in two variables, because a subscription to this price could get the wrong plan.
 */
function checkPrices(env: Env): void {
  const seen = new Map<string, string>();
  for (const name of PRICE_VARIABLES)
    for (const id of env[name]) {
      const other = seen.get(id);
      if (other !== undefined)
        throwConfigError(
          name,
          JSON.stringify(id),
          `is already in ${other}; each price belongs to one plan and interval`,
        );
      seen.set(id, name);
    }
}

/**
 * Throws `ConfigError` if only one of Stripe's two secrets is set. Without the webhook secret, paid plans would not
 * take effect. Without the key, no plan could be sold.
 */
function checkBilling(env: Env): void {
  const hasKey = env.STRIPE_SECRET_KEY !== '';
  const hasWebhook = env.STRIPE_WEBHOOK_SECRET.length > 0;
  if (hasKey === hasWebhook) return;
  const [given, missing] = hasKey
    ? (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const)
    : (['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'] as const);
  throwConfigError(missing, `is not set, but ${given} is`, 'billing needs both; unset both to disable billing');
}

/** Returns warnings for the operator about settings that are valid but may be mistakes. Each warning is one line. */
export function environmentWarnings(env: Env, names: readonly string[]): string[] {
  const similar = similarNames(names, Object.keys(VARIABLES)).map(
    ({ name, meant }) => `${name} is not a Blazon variable. Did you mean ${meant}?`,
  );
  const isPublicUrlOpen = env.INSECURE_HTTP === '1' && !isPrivateUrl(env.PUBLIC_URL);
  return [
    ...similar,
    ...(isPublicUrlOpen
      ? ['PUBLIC_URL is plain HTTP (INSECURE_HTTP=1): anyone on the network can read passwords and keys']
      : []),
    ...(isMailPasswordOpen(env)
      ? ["SMTP_URL has tls=off: anyone on the network can read the mail server's password and all mail"]
      : []),
  ];
}

export function processEnv(version: string): Env {
  return readEnv(process.env, version);
}

export function processVariables(): Variables {
  return process.env;
}

export function processWarnings(env: Env): string[] {
  return environmentWarnings(env, Object.keys(process.env));
}
