// Doctor: checks of a deployment's settings, its disk and its catalog. The stores are checked by their own family.
import { LINK_LIFETIME_MS } from '../domain/account/email-link.js';
import { failure, ok, warning, type Finding } from '../domain/finding.js';
import { DAY_MS } from '../domain/time.js';
import { AppError, PaymentsAwayError } from '../errors.js';
import type { CatalogStore } from '../ports/catalog-store.js';
import type { Payments } from '../ports/payments.js';

/** What the checks read of the environment. */
export interface DoctorSettings {
  readonly publicUrl: string;
  readonly host: string;
  readonly trustedProxies: number;
  /** Empty: generated into the data folder. */
  readonly secrets: readonly string[];
  readonly hasMailServer: boolean;
  readonly isCluster: boolean;
  readonly billing: BillingSettings;
}

export interface BillingSettings {
  readonly isConfigured: boolean;
  readonly isTestMode: boolean;
  /** Names of the variables of prices that are not set. */
  readonly missingPrices: readonly string[];
}

/** Characters that a secret of at least 32 bytes has different ones of, unless a person typed it in haste. */
const FEWEST_DISTINCT = 12;
/** An old secret is needed until the last mailed link that it made has expired. */
const OLD_SECRET_DAYS = Math.ceil(Math.max(...Object.values(LINK_LIFETIME_MS)) / DAY_MS);
const MEGABYTE = 2 ** 20;
/** Below this the embedded database may soon be unable to grow. */
const LEAST_FREE_BYTES = 1024 * MEGABYTE;

export function settingFindings(settings: DoctorSettings): Finding[] {
  return [publicUrl(settings), proxies(settings), secrets(settings), mails(settings), billing(settings)];
}

function publicUrl({ publicUrl: text }: DoctorSettings): Finding {
  const { protocol, hostname } = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isLocal)
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

function proxies({ publicUrl: text, host, trustedProxies }: DoctorSettings): Finding {
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

function secrets({ secrets: given, isCluster }: DoctorSettings): Finding {
  if (given.length === 0) {
    return isCluster
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

function mails({ hasMailServer }: DoctorSettings): Finding {
  if (hasMailServer) return ok('SMTP_URL', 'Mails go to the mail server.');
  return warning(
    'SMTP_URL',
    'Not set: mails are written as files into DATA_DIR/outbox.',
    'Set SMTP_URL and MAIL_FROM.',
  );
}

function billing({ billing: { isConfigured, isTestMode, missingPrices }, publicUrl: text }: DoctorSettings): Finding {
  if (!isConfigured) return ok('billing', 'Off: STRIPE_SECRET_KEY is not set.');
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

/** None where billing is off. */
export async function priceFindings(payments: Pick<Payments, 'isConfigured' | 'priceProblems'>): Promise<Finding[]> {
  if (!payments.isConfigured) return [];
  try {
    const problems = await payments.priceProblems();
    if (problems.length === 0) return [ok('billing prices', 'Stripe has those that are set, with their intervals.')];
    return problems.map((problem) =>
      failure('billing prices', problem, 'Set the variable to a recurring price of its plan and interval.'),
    );
  } catch (error) {
    if (error instanceof PaymentsAwayError)
      return [warning('billing prices', `They were not checked: ${error.message}`, 'Run this again later.')];
    if (!(error instanceof AppError)) throw error;
    return [
      failure(
        'billing prices',
        error.message,
        'Correct STRIPE_SECRET_KEY; a restricted key must be able to read prices.',
      ),
    ];
  }
}

/** `freeBytes`: on the disk of this folder; undefined when it cannot be found out. */
export function diskFinding(dataDir: string, freeBytes: number | undefined): Finding {
  if (freeBytes === undefined)
    return failure(
      'disk',
      `The folder ${dataDir} cannot be read.`,
      'Correct DATA_DIR, or create it and let the user of the service write there.',
    );
  const free = `${Math.floor(freeBytes / MEGABYTE)} MB are free where ${dataDir} is.`;
  if (freeBytes >= LEAST_FREE_BYTES) return ok('disk', free);
  return warning('disk', free, 'Free at least 1 GB, or lower RENDER_DISK_CACHE_MB.');
}

/** Fence around the processes that draw and sanitize, on this machine. */
export interface WorkerFence {
  /** In words. */
  readonly holds: readonly string[];
  /** With the reason. */
  readonly lacks: readonly string[];
  /** Whether native code cannot read the data folder either. */
  readonly hasNamespaces: boolean;
}

export function fenceFinding({ holds, lacks, hasNamespaces }: WorkerFence): Finding {
  const message = [
    holds.length > 0 ? `Processes that draw have ${holds.join('; ')}.` : 'Processes that draw have none.',
    ...(lacks.length > 0 ? [`Missing: ${lacks.join('; ')}.`] : []),
  ].join(' ');
  if (hasNamespaces) return ok('worker fence', message);
  return warning('worker fence', message, 'See SECURITY.md, "The fence around worker processes".');
}

/** A file or folder with secrets or personal data. */
export interface FileMode {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

const OTHERS = 0o077;
const ENTER = 0o011;

/** `folder` is undefined where there is none yet: the service makes one for its user only. */
export function modesFinding(folder: FileMode | undefined, files: readonly FileMode[]): Finding {
  const check = 'DATA_DIR';
  if (!folder) return ok(check, 'It does not exist yet; the service creates it for its user only.');
  const open = [folder, ...files].filter(({ mode }) => (mode & OTHERS) !== 0);
  if (open.length === 0) return ok(check, 'Only its user has access.');
  const [first = folder] = open;
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`;
  const message = `Other users have access to ${first.path} (mode ${first.mode.toString(8)})${more}.`;
  const advice = `chmod -R go= '${folder.path.replaceAll("'", String.raw`'\''`)}'`;
  const isReachable = (folder.mode & ENTER) !== 0 && open.some((one) => one !== folder);
  return isReachable ? failure(check, message, advice) : warning(check, message, advice);
}

export async function catalogFinding(catalog: CatalogStore): Promise<Finding> {
  const state = await catalog.state();
  if (state === undefined)
    return failure(
      'catalog',
      'It is empty: nothing was imported.',
      'Start the service, or run npm run catalog -- import',
    );
  return ok('catalog', `${state.entries} entries, imported ${state.publishedAt.slice(0, 10)}.`);
}
