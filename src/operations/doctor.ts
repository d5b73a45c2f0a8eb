// Doctor: checks of a deployment's prices, its webhook, its disk and its catalog. The stores are checked by their own family.
import { isExpectation } from '../billing/payment-event.js';
import { failure, ok, warning, type Finding } from '../platform/finding.js';
import { AppError, PaymentsAwayError } from '../platform/errors.js';
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { PaymentEvents } from '../billing/payment-event-store.js';
import type { Payments } from '../billing/payments.js';

const MEGABYTE = 2 ** 20;
/** Below this the embedded database may soon be unable to grow. */
const LEAST_FREE_BYTES = 1024 * MEGABYTE;

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

const EVENTS_LOOKED_AT = 100;

/** Whether events of Stripe arrive; none where nothing was bought. */
export async function webhookFindings(events: Pick<PaymentEvents, 'latest'>): Promise<Finding[]> {
  const latest = await events.latest({ limit: EVENTS_LOOKED_AT });
  const arrived = latest.find((one) => !isExpectation(one));
  const missing = latest.find((one) => isExpectation(one) && one.error !== null);
  // One that arrived after the search for it was given up says that the webhook works again.
  if (missing?.finishedAt && (!arrived || arrived.receivedAt < missing.finishedAt))
    return [
      warning(
        'billing webhook',
        `A subscription of the customer ${missing.customerId} was found at Stripe on ${dayOf(missing.receivedAt)}, but no event of it has arrived.`,
        "Look at the webhook's deliveries in Stripe: its address is PUBLIC_URL/v1/billing/webhook, and its secret STRIPE_WEBHOOK_SECRET.",
      ),
    ];
  return arrived ? [ok('billing webhook', `The latest event of Stripe arrived on ${dayOf(arrived.receivedAt)}.`)] : [];
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

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
  readonly holds: readonly string[];
  /** With the reason. */
  readonly lacks: readonly string[];
  /** True when native code cannot read the data folder either. */
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

/** User id of the service; undefined where the system has none. */
export function userFinding(uid: number | undefined): Finding[] {
  if (uid === undefined) return [];
  if (uid !== 0) return [ok('user', `The service's files belong to user id ${uid}, not to root.`)];
  return [
    warning(
      'user',
      'The service runs as root, so a drawing that takes over a worker process reads the files of root.',
      'Run the service as a dedicated user, and give DATA_DIR to that user with chown -R.',
    ),
  ];
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
  // Nobody else reaches the files in such a folder, whatever their modes are.
  if ((folder.mode & OTHERS) === 0) return ok(check, 'Only its user has access.');
  const open = [folder, ...files].filter(({ mode }) => (mode & OTHERS) !== 0);
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
