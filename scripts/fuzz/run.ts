// Trial of a service: the cases of a seed are sent, and every answer is judged, at the end the service itself.
import { openAccounts } from './accounts.js';
import { filled, type Case, type Credentials, type Role } from './case.js';
import { caseGenerator, type CaseGenerator } from './cases.js';
import { readOperations } from './document.js';
import { exchange, type Exchange } from './exchange.js';
import { collectFindings, type Finding, type Findings } from './findings.js';
import { errorOutputViolations, logViolations } from './log-check.js';
import { violationsOf } from './oracles.js';
import { knownSecrets, type KnownSecrets } from './secrets.js';
import { END_LIMIT_MS, type Target } from './target.js';
import { usageTally, type UsageTally } from './usage.js';

const CONNECTIONS = 16;
const MAX_HANGS = 16;

interface RunLimits {
  /** For one answer. */
  readonly deadlineMs: number;
  /** Resident, of the service's own process. */
  readonly maxMemoryMb: number;
  /** For sending; beyond it the run is a failure. */
  readonly maxRunMs: number;
}

/** Generous on purpose: a machine that is busy with other things is no defect. */
export const DEFAULT_LIMITS: RunLimits = { deadlineMs: 60_000, maxMemoryMb: 500, maxRunMs: 20 * 60_000 };

export interface RunOptions extends RunLimits {
  readonly seed: number;
  readonly requests: number;
  /** Only this one. */
  readonly index?: number;
  readonly onProgress?: (sent: number) => void;
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
  readonly base: string;
  readonly options: RunOptions;
  readonly accounts: Readonly<Record<Role, Credentials>>;
  readonly tallies: Readonly<Record<Role, UsageTally>>;
  readonly secrets: KnownSecrets;
  readonly generator: CaseGenerator;
  readonly findings: Findings;
}

/** Ends the service. */
export async function runTrial(target: Target, options: RunOptions): Promise<Report> {
  const base = `http://127.0.0.1:${target.port}`;
  const secrets = knownSecrets();
  const operations = readOperations(await (await fetch(`${base}/openapi.json`)).json());
  const accounts = await openAccounts({ base, secrets, makeUnlimited: (email) => target.makeUnlimited(email) });
  for (const credentials of Object.values(accounts)) options.onCredentials?.(credentials);
  const trial: Trial = {
    target,
    base,
    options,
    accounts,
    tallies: { steady: usageTally('steady', accounts.steady.key), leaver: usageTally('leaver', accounts.leaver.key) },
    secrets,
    generator: caseGenerator(operations, options.seed),
    findings: collectFindings(),
  };
  const sent = await sendAll(trial);
  if (target.isRunning()) await judgeService(trial);
  const peakMemoryMb = target.peakMemoryMb();
  await endService(trial);
  return { ...sent, peakMemoryMb, findings: trial.findings.list() };
}

async function send(
  { target, options, accounts, tallies, secrets, findings }: Trial,
  one: Case,
  index: number,
): Promise<Exchange> {
  const fill = (text: string) => filled(text, accounts[one.role]);
  const result = await exchange(one, { port: target.port, fill, deadlineMs: options.deadlineMs });
  one.messages.forEach(({ line }, at) => tallies[one.role].add(line, result.answers[at]));
  for (const violation of violationsOf(one, result, { secrets, fill })) findings.add(violation, { index, case: one });
  return result;
}

async function sendAll(trial: Trial): Promise<Pick<Report, 'sent' | 'statuses'>> {
  const { target, options, generator, findings } = trial;
  const { requests, index: only, maxRunMs, onProgress } = options;
  const indexes = (only === undefined ? Array.from({ length: requests }, (_, index) => index) : [only]).values();
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  let [sent, hangs, stop] = [0, 0, ''];

  async function sendNext(): Promise<void> {
    for (const index of indexes) {
      const { answers, timedOut, refused } = await send(trial, generator.at(index), index);
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      onProgress?.(sent);
      if (timedOut) hangs += 1;
      if (refused || !target.isRunning()) stop ||= 'the service takes no more connections';
      if (hangs >= MAX_HANGS) stop ||= `${hangs} requests were not answered`;
      if (performance.now() - startedAt > maxRunMs) stop ||= `the run took longer than ${maxRunMs / 1000} s`;
      if (stop !== '') return;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
  if (stop !== '') findings.add({ rule: 'unfinished', text: `${stop}; ${sent} of ${requests} requests were sent` });
  return { sent, statuses };
}

async function judgeService({ target, base, options, tallies, findings }: Trial): Promise<void> {
  for (const path of ['/healthz', '/readyz']) {
    const status = await fetch(base + path, { signal: AbortSignal.timeout(END_LIMIT_MS) }).then(
      (response) => response.status,
      () => 'no answer',
    );
    if (status !== 200) findings.add({ rule: 'not alive', text: `GET ${path} at the end: ${status}` });
  }
  for (const tally of Object.values(tallies)) {
    const differences = await tally.compare(base).catch((error: unknown) => [String(error)]);
    if (differences.length > 0) findings.add({ rule: 'metering', text: differences.join('; ') });
  }
  const megabytes = target.peakMemoryMb() ?? 0;
  if (megabytes > options.maxMemoryMb)
    findings.add({ rule: 'memory', text: `${megabytes} MB resident at most; the limit is ${options.maxMemoryMb} MB` });
}

async function endService({ target, generator, secrets, findings }: Trial): Promise<void> {
  if (target.isRunning()) {
    const { code, wasKilled } = await target.end();
    const how = wasKilled
      ? `did not end the process within ${END_LIMIT_MS / 1000} s`
      : `ended it with ${code ?? 'a signal'}`;
    if (wasKilled || code !== 0) findings.add({ rule: 'not ended', text: `SIGTERM ${how}` });
  } else findings.add({ rule: 'not alive', text: 'the process has ended' });
  for await (const { index, ...violation } of logViolations(target.logFile, secrets))
    findings.add(violation, index === undefined ? undefined : { index, case: generator.at(index) });
  for await (const violation of errorOutputViolations(target.errorFile, secrets)) findings.add(violation);
}
