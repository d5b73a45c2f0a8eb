// Trial of a service: the cases of a seed are sent, and every answer is judged, at the end the service itself.
import { openAccounts } from './accounts.js';
import type { Credentials } from './case.js';
import { caseGenerator, type CaseGenerator } from './cases.js';
import { readApi } from './document.js';
import { collectFindings, type Finding, type Findings } from './findings.js';
import { errorOutputViolations, logViolations } from './log-check.js';
import type { Rule } from './oracles.js';
import { knownSecrets, type KnownSecrets } from './secrets.js';
import { createSender, type Sender } from './sender.js';
import { shrink } from './shrink.js';
import { END_LIMIT_MS, type Target } from './target.js';

const CONNECTIONS = 16;
const MAX_SHRUNK = 20;
const MAX_HANGS = 16;
/** What needs more than one request, or a wait, or is true of the whole request only. */
const NOT_SHRUNK = new Set<Rule>([
  'hang',
  'no answer',
  'secret in the log',
  'error in the log',
  'kept connection',
  'accepted',
  'undocumented status',
  'metering',
]);

interface RunLimits {
  /** For one answer. */
  readonly deadlineMs: number;
  /** Resident, of the service's own process. */
  readonly maxMemoryMb: number;
  /** For sending; beyond it the run is a failure. */
  readonly maxRunMs: number;
}

/** Generous on purpose: a machine that is busy with other things is no defect. */
export const DEFAULT_LIMITS: RunLimits = { deadlineMs: 15_000, maxMemoryMb: 500, maxRunMs: 20 * 60_000 };

export interface RunOptions extends RunLimits {
  readonly seed: number;
  readonly requests: number;
  /** Only this one. */
  readonly index?: number;
  readonly onProgress?: (sent: number) => void;
  /** Of every account that is created. */
  readonly onCredentials?: (credentials: Credentials) => void;
}

export interface Report {
  readonly sent: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly peakMemoryMb: number | undefined;
  readonly findings: readonly Finding[];
}

interface Trial {
  readonly target: Target;
  readonly options: RunOptions;
  readonly generator: CaseGenerator;
  readonly sender: Sender;
  readonly secrets: KnownSecrets;
  readonly findings: Findings;
}

/** Ends the service. */
export async function runTrial(target: Target, options: RunOptions): Promise<Report> {
  const base = `http://127.0.0.1:${target.port}`;
  const secrets = knownSecrets();
  const api = readApi(await (await fetch(`${base}/openapi.json`)).json());
  const { onCredentials } = options;
  const accounts = await openAccounts({
    base,
    origin: api.origin,
    secrets,
    makeUnlimited: (email) => target.makeUnlimited(email),
    ...(onCredentials && { onCredentials }),
  });
  const sender = createSender({ port: target.port, deadlineMs: options.deadlineMs, api, accounts, secrets });
  const trial: Trial = {
    target,
    options,
    generator: caseGenerator(api, options.seed),
    sender,
    secrets,
    findings: collectFindings(),
  };
  const { sent, statuses } = await sendAll(trial);
  await judgeService(trial, base);
  const peakMemoryMb = target.peakMemoryMb();
  if (peakMemoryMb !== undefined && peakMemoryMb > options.maxMemoryMb) {
    trial.findings.add({
      rule: 'memory',
      text: `${peakMemoryMb} MB resident at most; the limit is ${options.maxMemoryMb} MB`,
    });
  }
  const shrunk = await shrinkAll(trial);
  await endService(trial);
  return {
    sent,
    statuses,
    peakMemoryMb,
    findings: [...shrunk, ...trial.findings.list().filter((finding) => !isIn(shrunk, finding))],
  };
}

async function sendAll({
  target,
  options,
  generator,
  sender,
  findings,
}: Trial): Promise<{ sent: number; statuses: Map<number, number> }> {
  const { requests, index: only, maxRunMs, onProgress } = options;
  const indexes = (only === undefined ? Array.from({ length: requests }, (_, index) => index) : [only]).values();
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  let sent = 0;
  let hangs = 0;
  let stop = '';

  async function sendNext(): Promise<void> {
    for (const index of indexes) {
      const one = generator.at(index);
      const { exchange, violations } = await sender.send(one, index);
      for (const violation of violations) findings.add(violation, { index, case: one });
      for (const { status } of exchange.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      onProgress?.(sent);
      if (violations.some(({ rule }) => rule === 'hang')) hangs += 1;
      if (exchange.refused || !target.isRunning()) stop ||= 'the service takes no more connections';
      if (hangs >= MAX_HANGS) stop ||= `${hangs} requests were not answered`;
      if (performance.now() - startedAt > maxRunMs) stop ||= `the run took longer than ${maxRunMs / 1000} s`;
      if (stop !== '') return;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
  if (stop !== '') findings.add({ rule: 'unfinished', text: `${stop}; ${sent} of ${requests} requests were sent` });
  return { sent, statuses };
}

async function judgeService({ target, sender, findings }: Trial, base: string): Promise<void> {
  if (!target.isRunning()) {
    findings.add({ rule: 'not alive', text: 'the process has ended' });
    return;
  }
  for (const from of await sender.keptConnections())
    findings.add(
      { rule: 'kept connection', text: 'answered, but the connection is still held when the client does not close it' },
      from,
    );
  for (const path of ['/healthz', '/readyz']) {
    const status = await fetch(base + path, { signal: AbortSignal.timeout(END_LIMIT_MS) }).then(
      (response) => response.status,
      () => 'no answer',
    );
    if (status !== 200) findings.add({ rule: 'not alive', text: `GET ${path} at the end: ${status}` });
  }
  for (const tally of sender.tallies) {
    const differences = await tally.compare(base).catch((error: unknown) => [String(error)]);
    if (differences.length === 0) continue;
    const from = await tally.findUnduly(base, (one) => sender.send(one.case, one.index)).catch(() => undefined);
    findings.add({ rule: 'metering', text: differences.join('; ') }, from);
  }
}

/** The service must still run. */
async function shrinkAll({ target, sender, findings }: Trial): Promise<Finding[]> {
  const shrinkable = findings.list().filter(({ rule, case: one }) => one !== undefined && !NOT_SHRUNK.has(rule));
  const shrunk: Finding[] = [];
  for (const finding of shrinkable.slice(0, MAX_SHRUNK)) {
    if (!finding.case || finding.index === undefined || !target.isRunning()) continue;
    const { rule, index } = finding;
    const smallest = await shrink(finding.case, async (smaller) =>
      (await sender.send(smaller, index)).violations.some((violation) => violation.rule === rule),
    );
    shrunk.push({ ...finding, case: smallest });
  }
  return shrunk;
}

const isIn = (list: readonly Finding[], { rule, text, index }: Finding) =>
  list.some((one) => one.rule === rule && one.text === text && one.index === index);

/** While clients still hold connections. */
async function endService({ target, sender, generator, secrets, findings }: Trial): Promise<void> {
  if (target.isRunning()) {
    const { code, wasKilled } = await target.end();
    if (wasKilled)
      findings.add({ rule: 'not ended', text: `SIGTERM did not end the process within ${END_LIMIT_MS / 1000} s` });
    else if (code !== 0)
      findings.add({ rule: 'not ended', text: `SIGTERM ended the process with ${code ?? 'a signal'}` });
  }
  sender.closeHeld();
  for await (const { index, ...violation } of logViolations(target.logFile, secrets)) {
    findings.add(violation, index === undefined ? undefined : { index, case: generator.at(index) });
  }
  for await (const violation of errorOutputViolations(target.errorFile, secrets)) findings.add(violation);
}
