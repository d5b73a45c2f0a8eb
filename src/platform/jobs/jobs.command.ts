// Commands about background jobs (`npm run jobs --`): list jobs with their last run, run a job now. They may run while
// the service runs.
import { openCommandServices, type CommandServices } from '../command-line/open-services.js';
import { isWithin } from '../time.js';
import type { Job } from './job.js';
import { CLAIM_MS, runJob } from './run-job.js';
import { fail, show, tableOf, withTools, type Subcommand } from '../command-line/command.js';

type LatestRun = Awaited<ReturnType<CommandServices['stores']['jobSlots']['latest']>>[number];

const withServices = withTools(openCommandServices);

export const jobCommands = (jobs: readonly Job[]): readonly Subcommand[] => [
  {
    name: 'list',
    help: 'List jobs with their schedule (cron, UTC), last run and its result.',
    run: withServices((services) => list(services, jobs)),
  },
  {
    name: 'run <job>',
    help: 'Run a job now.',
    choices: { job: jobs.map(({ name }) => name) },
    run: withServices((services, name: string) => runNow(services, jobs, name)),
  },
];

async function list({ stores, now }: CommandServices, all: readonly Job[]): Promise<void> {
  const runs = await stores.jobSlots.latest();
  const jobs = all.map(({ name, schedule, summary }) => {
    const last = runs.find((run) => run.job === name);
    return {
      name,
      schedule,
      summary,
      lastRun: last
        ? { startedAt: last.startedAt, finishedAt: last.finishedAt, outcome: outcomeOf(last, now()), error: last.error }
        : null,
    };
  });
  const rows = jobs.map(({ name, schedule, summary, lastRun }) => [
    name,
    schedule,
    ...(lastRun ? [lastRun.startedAt.toISOString(), lastRun.outcome] : ['never', '-']),
    summary,
  ]);
  show(jobs, [
    ...tableOf(['JOB', 'SCHEDULE', 'LAST RUN', 'OUTCOME', 'WHAT IT DOES'], rows),
    ...jobs.flatMap(({ name, lastRun }) => (lastRun?.error ? [`${name}: ${lastRun.error}`] : [])),
  ]);
}

async function runNow(
  { stores: { jobSlots: slots }, jobParts: parts, now }: CommandServices,
  jobs: readonly Job[],
  name: string,
): Promise<void> {
  const job =
    jobs.find((one) => one.name === name) ??
    fail(`There is no job "${name}". Jobs: ${jobs.map((one) => one.name).join(', ')}.`);
  const last = (await slots.latest()).find((run) => run.job === name);
  if (last && outcomeOf(last, now()) === 'running')
    fail(`${name} has been running since ${last.startedAt.toISOString()}. Wait until it has finished.`);
  const done = await runJob({ slots, parts }, job, now()).catch((error: unknown) =>
    fail(`${name} failed: ${String(error)}`),
  );
  if (!done) fail(`Another process has just started ${name}. Try again later.`);
  const counts = Object.entries(done).map(([what, count]) => `${what} ${count}`);
  show({ job: name, done }, `${name}: ${counts.join(', ')}`);
}

function outcomeOf(
  { startedAt, finishedAt, error }: LatestRun,
  nowMs: number,
): 'done' | 'failed' | 'running' | 'interrupted' {
  if (error !== null) return 'failed';
  if (finishedAt) return 'done';
  return isWithin(startedAt.getTime(), CLAIM_MS, nowMs) ? 'running' : 'interrupted';
}
