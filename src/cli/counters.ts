// Commands about visitor counters (`npm run counters --`): list, show, reset, seed. May run beside the service.
import { InvalidArgumentError } from 'commander';
import { openCounterTools, type CounterTools } from '../compose/counters.js';
import type { CounterOperator } from '../services/visitor-counting.js';
import { createProgram, json, print, printError, printJson, printTable, type JsonFlag } from './command.js';
import { withDatabase } from './with-database.js';

type Counter = Awaited<ReturnType<CounterOperator['show']>>;

const program = createProgram(
  'counters',
  'Visitor counters. Which there are is in config/counters.json. May run beside the service, which is some seconds ahead.',
);

program
  .command('list')
  .description('List the counters: visits, distinct visitors of the UTC day, origins.')
  .addOption(json())
  .action((flags: JsonFlag) =>
    withCounterTools(async ({ counters }) => {
      const all = await counters.list();
      if (flags.json === true) printJson(all);
      else printCounters(all);
    }),
  );

program
  .command('show <name>')
  .description('Show one of them.')
  .addOption(json())
  .action((name: string, flags: JsonFlag) =>
    withCounterTools(async ({ counters }) => {
      const counter = await counters.show(name);
      if (flags.json === true) printJson(counter);
      else printCounters([counter]);
    }),
  );

program
  .command('reset <name>')
  .description('Begin again at its configured seed; a running service does so within a few seconds.')
  .requiredOption('--yes', 'confirm: the counts are lost')
  .action((name: string) =>
    withCounterTools(async ({ counters }) => {
      await counters.reset(name);
      print(`${name} begins again.`);
    }),
  );

program
  .command('seed')
  .argument('<name>')
  .argument('<total>', 'a whole number from 0', parseTotal)
  .description("Go on from this total; today's counts stay. A running service does so within a few seconds.")
  .action((name: string, total: number) =>
    withCounterTools(async ({ counters }) => {
      await counters.seed(name, total);
      print(`${name} goes on from ${total}.`);
    }),
  );

export default program;

function withCounterTools(run: (tools: CounterTools) => Promise<void>): Promise<void> {
  return withDatabase({
    database: 'existing',
    open: (env) => openCounterTools(env, (error, what) => printError(`${what}: ${String(error)}`)),
    run,
  });
}

function printCounters(counters: readonly Counter[]): void {
  printTable(
    ['NAME', 'TOTAL', 'TODAY', 'UNIQUE TODAY', 'SEED', 'STATE', 'ORIGINS'],
    counters.map(({ name, total, today, uniqueToday, seed, enabled, origins }) => [
      name,
      ...[total, today, uniqueToday, seed].map(String),
      enabled ? 'enabled' : 'disabled',
      origins.join(' '),
    ]),
  );
}

function parseTotal(text: string): number {
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw new InvalidArgumentError('A whole number from 0.');
  return Number(text);
}
