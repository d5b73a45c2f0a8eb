// Commands about background jobs (`npm run jobs --`): list with the last run, run one now. May run beside the service.
import type { OperatorTools } from '../compose/operator-tools.js';
import { isWithin } from '../domain/time.js';
import { JOBS } from '../jobs/index.js';
import type { Job } from '../jobs/job.js';
import { LEASE_MS, runJob } from '../jobs/run-job.js';
import { createProgram, fail, json, print, printJson, printTable, type JsonFlag } from './command.js';
import { withOperatorTools } from './operator-command.js';

type LatestRun = Awaited<ReturnType<OperatorTools['slots']['latest']>>[number];

const program = createProgram('jobs', 'Background jobs of the service. May run beside it.');

program
  .command('list')
  .description('List the jobs: schedule (cron, UTC), last run and its outcome.')
  .addOption(json())
  .action((flags: JsonFlag) => withOperatorTools((tools) => list(tools, flags)));

program
  .command('run <name>')
  .description('Run a job now.')
  .addOption(json())
  .action((name: string, flags: JsonFlag) => withOperatorTools((tools) => runNow(tools, name, flags)));

export default program;

async function list({ slots, now }: OperatorTools, flags: JsonFlag): Promise<void> {
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
  if (flags.json === true) {
    printJson(jobs);
    return;
  }
  printTable(
    ['JOB', 'SCHEDULE', 'LAST RUN', 'OUTCOME', 'WHAT IT DOES'],
    jobs.map(({ name, schedule, summary, lastRun }) => [
      name,
      schedule,
      lastRun ? lastRun.startedAt.toISOString() : 'never',
      lastRun?.outcome ?? '-',
      summary,
    ]),
  );
  for (const { name, lastRun } of jobs) if (lastRun?.error) print(`${name}: ${lastRun.error}`);
}

async function runNow({ slots, parts, now }: OperatorTools, name: string, flags: JsonFlag): Promise<void> {
  const job =
    JOBS.find((one) => one.name === name) ??
    fail(`There is no job "${name}"; there are ${JOBS.map((one) => one.name).join(', ')}.`);
  const last = (await slots.latest()).find((run) => run.job === name);
  if (last && outcomeOf(last, now()) === 'running')
    fail(`${name} is running already, since ${last.startedAt.toISOString()}.`);
  const report = await claimAndRun({ slots, parts, now }, job);
  if (flags.json === true) printJson({ job: name, done: report });
  else
    print(
      `${name}: ${Object.entries(report)
        .map(([what, count]) => `${what} ${count}`)
        .join(', ')}`,
    );
}

async function claimAndRun({ slots, parts, now }: Pick<OperatorTools, 'slots' | 'parts' | 'now'>, job: Job) {
  const report = await runJob({ slots, parts }, job, now()).catch((error: unknown) =>
    fail(`${job.name} failed: ${String(error)}`),
  );
  return report ?? fail(`Another process has just started ${job.name}.`);
}

function outcomeOf(
  { startedAt, finishedAt, error }: LatestRun,
  nowMs: number,
): 'done' | 'failed' | 'running' | 'interrupted' {
  if (error !== null) return 'failed';
  if (finishedAt) return 'done';
  return isWithin(startedAt.getTime(), LEASE_MS, nowMs) ? 'running' : 'interrupted';
}
