// Trial of a service: the cases of a seed are sent, and every answer is judged, at the end the service itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openSecretSearch, type SecretSearch } from '../secret-search.js';
import { filled, type Case, type Credentials, type Role } from './case.js';
import { casesOf } from './cases.js';
import { exchange, type Exchange } from './exchange.js';
import { collectFindings, type Finding, type Findings } from './findings.js';
import { errorOutputViolations, logViolations } from './log-check.js';
import { readOperations } from './operations.js';
import { violationsOf } from './oracles.js';
import { END_LIMIT_MS, type Target } from './target.js';
import { usageTally, type UsageTally } from './usage.js';

const CONNECTIONS = 16;
const MAX_HANGS = 16;
/** For one answer. Generous, as the others: a machine that is busy with other things is no defect. */
const DEADLINE_MS = 60_000;
/** Resident, the service's own process. */
const MAX_MEMORY_MB = 500;
const MAX_RUN_MS = 20 * 60_000;
const MAX_TRIES = 20;
const RETRY_MS = 1000;

export interface RunOptions {
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
  readonly secrets: SecretSearch<string>;
  readonly caseAt: (index: number) => Case;
  readonly findings: Findings;
}

/** Ends the service. */
export async function runTrial(target: Target, options: RunOptions): Promise<Report> {
  const base = `http://127.0.0.1:${target.port}`;
  const secrets = openSecretSearch();
  const operations = readOperations(await (await fetch(`${base}/openapi.json`)).json());
  const open = async (role: Role): Promise<Credentials> => {
    const credentials = await openAccount(role, { target, base, secrets });
    options.onCredentials?.(credentials);
    return credentials;
  };
  const trial: Trial = {
    target,
    base,
    options,
    accounts: { steady: await open('steady'), leaver: await open('leaver') },
    tallies: { steady: usageTally(), leaver: usageTally() },
    secrets,
    caseAt: casesOf(operations, options.seed),
    findings: collectFindings(),
  };
  const sent = await sendAll(trial);
  if (target.isRunning()) await judgeService(trial);
  const peakMemoryMb = target.peakMemoryMb();
  await endService(trial);
  return { ...sent, peakMemoryMb, findings: trial.findings.list() };
}

const registered = z.object({ apiKey: z.string(), accessToken: z.string() });

/** An account without limits, whose secrets are looked for. Throws when the registration is rejected. */
async function openAccount(
  role: Role,
  { target, base, secrets }: Pick<Trial, 'target' | 'base' | 'secrets'>,
): Promise<Credentials> {
  const [email, password] = [`${role}@fuzz.example`, `pass phrase of ${role} only`];
  const body = JSON.stringify({ email, password });
  const register = (): Promise<Response> =>
    fetch(`${base}/auth/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  let response = await register();
  // On a busy machine hashing the password takes too long at times.
  for (let tries = 0; response.status === 503 && tries < MAX_TRIES; tries++) {
    await sleep(RETRY_MS);
    response = await register();
  }
  if (!response.ok) throw new Error(`registration of ${role}: ${response.status} ${await response.text()}`);
  const { apiKey: key, accessToken: token } = registered.parse(await response.json());
  const [session = '', device = ''] = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  // The part after the reference to the account, which is no secret.
  secrets.add(`API key of ${role}`, key.slice(16, -6));
  secrets.add(`access token of ${role}`, token.slice(token.lastIndexOf('.') + 1));
  secrets.add(`session cookie of ${role}`, session.slice(-43));
  secrets.add(`device cookie of ${role}`, device.slice(-43));
  secrets.add(`password of ${role}`, password);
  await target.makeUnlimited(email);
  return { key, token, session, device };
}

async function send(trial: Trial, one: Case, index: number): Promise<Exchange> {
  const { target, accounts, tallies, secrets, findings } = trial;
  const fill = (text: string) => filled(text, accounts[one.role]);
  const result = await exchange(one, { port: target.port, fill, deadlineMs: DEADLINE_MS });
  one.messages.forEach(({ line }, at) => tallies[one.role].add(line, result.answers[at]));
  for (const violation of violationsOf(one, result, { secrets, fill })) findings.add(violation, { index, case: one });
  return result;
}

async function sendAll(trial: Trial): Promise<Pick<Report, 'sent' | 'statuses'>> {
  const { target, caseAt, findings } = trial;
  const { requests, index: only, onProgress } = trial.options;
  const indexes = (only === undefined ? Array.from({ length: requests }, (_, index) => index) : [only]).values();
  const statuses = new Map<number, number>();
  const startedMs = performance.now();
  let [sent, hangs, stop] = [0, 0, ''];

  async function sendNext(): Promise<void> {
    for (const index of indexes) {
      const { answers, timedOut, refused } = await send(trial, caseAt(index), index);
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent += 1;
      onProgress?.(sent);
      if (timedOut) hangs += 1;
      if (refused || !target.isRunning()) stop ||= 'the service takes no more connections';
      if (hangs >= MAX_HANGS) stop ||= `${hangs} requests were not answered`;
      if (performance.now() - startedMs > MAX_RUN_MS) stop ||= `the run took longer than ${MAX_RUN_MS / 1000} s`;
      if (stop !== '') return;
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
  if (stop !== '') findings.add({ rule: 'unfinished', text: `${stop}; ${sent} of ${requests} requests were sent` });
  return { sent, statuses };
}

async function judgeService({ target, base, accounts, tallies, findings }: Trial): Promise<void> {
  const get = async (path: string, headers = {}): Promise<Response | undefined> =>
    fetch(base + path, { headers, signal: AbortSignal.timeout(END_LIMIT_MS) }).catch(() => undefined);
  for (const path of ['/healthz', '/readyz']) {
    const status = (await get(path))?.status ?? 'no answer';
    if (status !== 200) findings.add({ rule: 'not alive', text: `GET ${path} at the end: ${status}` });
  }
  for (const role of ['steady', 'leaver'] as const) {
    const usage = await get('/v1/usage', { 'X-API-Key': accounts[role].key });
    const differences = usage?.ok
      ? tallies[role].compare(await usage.json())
      : [`GET /v1/usage: ${usage?.status ?? ''}`];
    for (const text of differences) findings.add({ rule: 'metering', text: `${role}, ${text}` });
  }
  const megabytes = target.peakMemoryMb() ?? 0;
  if (megabytes > MAX_MEMORY_MB)
    findings.add({ rule: 'memory', text: `${megabytes} MB resident at most; the limit is ${MAX_MEMORY_MB} MB` });
}

async function endService({ target, caseAt, secrets, findings }: Trial): Promise<void> {
  if (target.isRunning()) {
    const code = await target.end();
    const how = code === null ? `no end within ${END_LIMIT_MS / 1000} s` : `exit code ${code}`;
    if (code !== 0) findings.add({ rule: 'not ended', text: `after SIGTERM: ${how}` });
  } else findings.add({ rule: 'not alive', text: 'the process has ended' });
  for await (const { index, ...violation } of logViolations(target.logFile, secrets))
    findings.add(violation, index === undefined ? undefined : { index, case: caseAt(index) });
  for await (const violation of errorOutputViolations(target.errorFile, secrets)) findings.add(violation);
}
