// Every variable that the service reads, with its type, default and meaning. The only reader of process.env.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { CLUSTER_VARIABLES } from './cluster-variables.js';
import { throwConfigError } from './config-error.js';
import { isMailPasswordOpen, MAIL_VARIABLES } from './mail-variables.js';
import { defaultMemoryMb, defaultPicturesMb, MIN_MEMORY_MB } from './memory.js';
import { similarNames } from './similar-names.js';
import { isBareUrl, isPrivateUrl } from './urls.js';
import { integer, list } from './shared-schemas.js';

const folder = (fallback: string, meaning: string) => ({ schema: z.string(), default: fallback, meaning });

/** RFC 7518, section 3.2: a key for HS256 is at least as long as its hash. */
const MIN_SECRET_BYTES = 32;

const priceIds = (plan: string, interval: string) =>
  ({
    schema: list((id) => /^price_\w+$/.test(id), 'price ids of Stripe, price_…, separated by commas'),
    default: '',
    meaning: `Price of Stripe for the plan ${plan} by the ${interval}. Comma separated: the first is sold; subscriptions to the others keep the plan. Without: not sold.`,
  }) as const;

/** Variables of prices; named by plan and interval, as `src/billing/stripe/offers.ts` reads them. */
export const PRICE_VARIABLES = [
  'STRIPE_PRICE_PRO_MONTH',
  'STRIPE_PRICE_PRO_YEAR',
  'STRIPE_PRICE_ENTERPRISE_MONTH',
  'STRIPE_PRICE_ENTERPRISE_YEAR',
] as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * One row per variable: how it is read, what holds without it, and what it is for (docs/configuration.md is made of
 * this).
 */
export const VARIABLES = {
  PORT: { schema: integer(0, 65_535), default: '3000', meaning: 'Port of the listener; 0 takes a free one.' },
  HOST: { schema: z.string().min(1), default: '127.0.0.1', meaning: 'Address of the listener; under PM2 `0.0.0.0`.' },
  DATA_DIR: folder('./data', 'Folder of the embedded database, of mails without a mail server, and of drawn pictures.'),
  CONFIG_DIR: folder(
    '',
    'Folder with your own files in the place of those in `config/`, as `plans.json`; others stay.',
  ),
  ...CLUSTER_VARIABLES,
  PUBLIC_URL: {
    schema: z.string().refine(isBareUrl, {
      error:
        'https:// and a host, with a port where needed; a path prefix is not supported, so give the service a host name of its own',
    }),
    default: 'http://localhost:$PORT',
    meaning: 'Address under which clients reach the service; base of every link it hands out.',
  },
  INSECURE_HTTP: {
    schema: z.enum(['0', '1'], { error: '0 or 1' }),
    default: '0',
    meaning:
      '`1`: PUBLIC_URL may be plain `http://` on any host, for a trusted network only. Passwords and keys then travel in clear, and cookies are not `Secure`.',
  },
  JWT_SECRET: {
    schema: list(
      (secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES,
      `secrets of at least ${MIN_SECRET_BYTES} bytes, separated by commas`,
    ),
    default: '',
    meaning:
      'Signs access tokens, mailed links and device cookies. Comma separated: the first signs, all are accepted. Without: one is made and kept in `DATA_DIR/jwt-secret`; the cluster needs it.',
    secret: true,
  },
  ...MAIL_VARIABLES,
  REGISTRATION: {
    schema: z.enum(['open', 'verified', 'closed'], { error: 'open, verified or closed' }),
    default: 'open',
    meaning:
      'Whether strangers may register. `open`: yes, and the answer has the key. `verified`: the account is made, and its key shown, by a mailed link, and no answer tells whether an e-mail address has an account; needs SMTP_URL. `closed`: no; the operator makes accounts with `npm run account -- create`.',
  },
  OPERATOR_CONTACT: {
    schema: z
      .string()
      .refine((text) => text === '' || /^(?:mailto:[^\s@?]+@[^\s@?]+|https:\/\/[^\s/]\S*)$/.test(text), {
        error: 'a mailto: or https:// address, as in mailto:icons@example.com',
      }),
    default: '',
    meaning:
      'Where people reach the operator about plans that Stripe does not sell here, and about payments that Stripe refuses; the dashboard links to it. Without: the dashboard names no address.',
  },
  SECURITY_CONTACT: {
    schema: list(
      (contact) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*|tel:\+[\d-]+)$/.test(contact),
      'mailto:, https:// or tel: addresses, separated by commas, as in mailto:security@example.com',
    ),
    default: '',
    meaning:
      'Where weaknesses are reported, for `/.well-known/security.txt` (RFC 9116). Comma separated: the preferred one first. Without: that file is a 404.',
  },
  GALLERY: {
    schema: z.enum(['on', 'off'], { error: 'on or off' }),
    default: 'on',
    meaning: '`off` hides the catalog browser from visitors who are not signed in.',
  },
  TRUST_PROXY: {
    schema: integer(0, 10),
    default: '0',
    meaning: 'Number of proxies in front, to find the client address. Above 0, only they may reach the port.',
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^(?:(?:sk|rk)_[A-Za-z0-9_]+)?$/, { error: 'a secret or restricted key of Stripe, sk_… or rk_…' }),
    default: '',
    meaning: 'Secret key of Stripe. Without this and STRIPE_WEBHOOK_SECRET: billing answers 503 `billing_unavailable`.',
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: list(
      (secret) => /^whsec_\w+$/.test(secret),
      'signing secrets of webhook endpoints, whsec_…, separated by commas',
    ),
    default: '',
    meaning: 'Signing secret of the webhook endpoint `/v1/billing/webhook`. Comma separated: all are accepted.',
    secret: true,
  },
  STRIPE_PRICE_PRO_MONTH: priceIds('pro', 'month'),
  STRIPE_PRICE_PRO_YEAR: priceIds('pro', 'year'),
  STRIPE_PRICE_ENTERPRISE_MONTH: priceIds('enterprise', 'month'),
  STRIPE_PRICE_ENTERPRISE_YEAR: priceIds('enterprise', 'year'),
  STRIPE_API_BASE: {
    schema: z.string().refine((text) => text === '' || (isBareUrl(text) && isPrivateUrl(text)), {
      error: 'https:// and a host, or http://localhost, with a port where needed',
    }),
    default: '',
    meaning: 'Another server than https://api.stripe.com: a private gateway, or a fake for trying out.',
  },
  MEMORY_MB: {
    schema: integer(MIN_MEMORY_MB, 65_536),
    default: String(defaultMemoryMb()),
    meaning:
      'Memory that one process of the service aims to stay below, MB; every cache and buffer has its share. By default 700, or the memory limit of the container if that is less. Processes that draw have memory of their own.',
  },
  RENDER_THREADS: {
    schema: integer(1, 64),
    default: String(availableParallelism()),
    meaning:
      'PNG and WebP pictures that are costly to draw and are drawn at once; by default one per core. One more process draws cheap ones only.',
  },
  RENDER_QUEUE: {
    schema: integer(1, 100_000),
    default: '256',
    meaning:
      'Pictures that may wait to be drawn, cheap and costly ones each; beyond: 503 busy, first for the account with the most. Previews for visitors take at most an eighth.',
  },
  RENDER_TIMEOUT_MS: {
    schema: integer(50, 60_000),
    default: '2000',
    meaning: 'Processor time that drawing one picture may take, ms.',
  },
  RENDER_CACHE_MB: {
    schema: integer(1, 65_536),
    default: '128',
    meaning:
      'Memory for finished pictures, compressed SVG included, MB. Part of MEMORY_MB; what exceeds 128 MB is added. By default less than 128 if MEMORY_MB is small.',
  },
  RENDER_DISK_CACHE_MB: {
    schema: integer(0, 1_048_576),
    default: '512',
    meaning:
      'Finished pictures kept in `DATA_DIR/pictures` for all processes of the host, in MB of disk space; 0: none. Pictures of own brands are never kept there.',
  },
  METRICS_PORT: {
    schema: integer(0, 65_535),
    default: '0',
    meaning:
      'Second listener, on 127.0.0.1, with `/metrics` (Prometheus) and the probes; each PM2 instance adds its number. 0: none.',
  },
  NODE_APP_INSTANCE: {
    schema: integer(0, 10_000),
    default: '0',
    meaning: "PM2's own: number of this process on its host.",
  },
  UV_THREADPOOL_SIZE: {
    schema: integer(1, 1024),
    default: '4',
    meaning:
      "Node's own: threads for password hashing, lossy WebP and files. All but two may hash passwords at once, but no more than there are cores, less one.",
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }),
    default: 'info',
    meaning: 'Least severe level that is logged.',
  },
} as const;

type Values = { readonly [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]['schema']> };
/** As the environment has them. */
type Variables = Readonly<Record<string, string | undefined>>;

export interface Env extends Values {
  /** Version of this release, from package.json. */
  readonly VERSION: string;
}

/** Reads and checks the environment; throws `ConfigError` with one line about the first wrong variable. */
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
      'allowed: https://, http://localhost, or with INSECURE_HTTP=1 http:// and any host',
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

/** Whether MongoDB and Redis keep the state; else an embedded database. */
export function isCluster({ MONGODB_URI }: Pick<Env, 'MONGODB_URI'>): boolean {
  return MONGODB_URI !== '';
}

function checkCluster(env: Env): void {
  const [given, missing] =
    env.MONGODB_URI === '' ? (['REDIS_URL', 'MONGODB_URI'] as const) : (['MONGODB_URI', 'REDIS_URL'] as const);
  if (env[given] === '') return;
  if (env[missing] === '') {
    // Ignoring it would start a second, empty service beside the one the operator meant.
    throwConfigError(
      missing,
      'is not set, but ' + given + ' is',
      'the cluster needs both; without both, the service is embedded',
    );
  }
  if (env.JWT_SECRET.length === 0)
    throwConfigError(
      'JWT_SECRET',
      'is not set',
      'the cluster needs one, the same for all processes: openssl rand -base64 48',
    );
}

/** In files, nobody would find the links. */
function checkRegistration({ REGISTRATION, SMTP_URL }: Env): void {
  if (REGISTRATION !== 'verified' || SMTP_URL !== '') return;
  throwConfigError('SMTP_URL', 'is not set, but REGISTRATION is verified', 'its links are mailed');
}

/** A price pasted twice would give the plan of another. */
function checkPrices(env: Env): void {
  const seen = new Map<string, string>();
  for (const name of PRICE_VARIABLES)
    for (const id of env[name]) {
      const other = seen.get(id);
      if (other !== undefined)
        throwConfigError(
          name,
          JSON.stringify(id),
          `is in ${other} already; each price belongs to one plan and interval`,
        );
      seen.set(id, name);
    }
}

/** With one of the two alone, paid plans would not take effect, or none could be sold. */
function checkBilling(env: Env): void {
  const hasKey = env.STRIPE_SECRET_KEY !== '';
  const hasWebhook = env.STRIPE_WEBHOOK_SECRET.length > 0;
  if (hasKey === hasWebhook) return;
  const [given, missing] = hasKey
    ? (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const)
    : (['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'] as const);
  throwConfigError(missing, `is not set, but ${given} is`, 'billing needs both; without both, it is off');
}

/** One line each, for the operator at the start: what is allowed and may still be a mistake. */
export function environmentWarnings(env: Env, names: readonly string[]): string[] {
  const similar = similarNames(names, Object.keys(VARIABLES)).map(
    ({ name, meant }) => `${name} is no setting of Blazon; did you mean ${meant}?`,
  );
  const isPublicUrlOpen = env.INSECURE_HTTP === '1' && !isPrivateUrl(env.PUBLIC_URL);
  return [
    ...similar,
    ...(isPublicUrlOpen
      ? ['PUBLIC_URL is plain http (INSECURE_HTTP=1): anyone on the network can read passwords and keys']
      : []),
    ...(isMailPasswordOpen(env)
      ? ['SMTP_URL has tls=off: anyone on the network can read the password of the mail server and all mails']
      : []),
  ];
}

/** The process's own environment. */
export function processEnv(version: string): Env {
  return readEnv(process.env, version);
}

export function processVariables(): Variables {
  return process.env;
}

export function processWarnings(env: Env): string[] {
  return environmentWarnings(env, Object.keys(process.env));
}
