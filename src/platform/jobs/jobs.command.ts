// Commands about background jobs (`npm run jobs --`): list with the last run, run one now. May run beside the service.
import { openOperatorTools, type OperatorTools } from '../../compose/operator-tools.js';
import { isWithin } from '../time.js';
import { JOBS } from '../../compose/jobs.js';
import { CLAIM_MS, runJob } from './run-job.js';
import { fail, show, tableOf, withTools, type Subcommand } from '../command-line/command.js';

type LatestRun = Awaited<ReturnType<OperatorTools['slots']['latest']>>[number];

const withOperator = withTools(openOperatorTools);

export default [
  {
    name: 'list',
    help: 'List the jobs: schedule (cron, UTC), last run and its outcome.',
    run: withOperator(list),
  },
  {
    name: 'run <job>',
    help: 'Run a job now.',
    choices: { job: JOBS.map(({ name }) => name) },
    run: withOperator(runNow),
  },
] satisfies readonly Subcommand[];

async function list({ slots, now }: OperatorTools): Promise<void> {
  const runs = await slots.latest();
  const jobs = JOBS.map(({ name, schedule, summary }) => {
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

async function runNow({ slots, parts, now }: OperatorTools, name: string): Promise<void> {
  const job =
    JOBS.find((one) => one.name === name) ??
    fail(`There is no job "${name}"; there are ${JOBS.map((one) => one.name).join(', ')}.`);
  const last = (await slots.latest()).find((run) => run.job === name);
  if (last && outcomeOf(last, now()) === 'running')
    fail(`${name} is running already, since ${last.startedAt.toISOString()}.`);
  const done = await runJob({ slots, parts }, job, now()).catch((error: unknown) =>
    fail(`${name} failed: ${String(error)}`),
  );
  if (!done) fail(`Another process has just started ${name}.`);
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
