// Commands about visitor counters (`npm run counters --`): list, show, reset, seed. They may run while the service
// runs.
import { Option } from 'commander';
import { openCounterTools } from './open.js';
import type { CounterOperator } from './visitor-counting.js';
import { fail, print, show, tableOf, withTools, type Subcommand } from '../platform/command-line/command.js';

type Counter = Awaited<ReturnType<CounterOperator['show']>>;

const withCounters = withTools(openCounterTools);

export default [
  {
    name: 'list',
    help: 'List the counters: visits, distinct visitors of the UTC day, origins.',
    run: withCounters(async ({ counters }) => {
      const all = await counters.list();
      show(all, counterTable(all));
    }),
  },
  {
    name: 'show <counter>',
    help: 'Show a counter.',
    run: withCounters(async ({ counters }, name: string) => {
      const counter = await counters.show(name);
      show(counter, counterTable([counter]));
    }),
  },
  {
    name: 'reset <counter>',
    help: 'Reset a counter to its configured seed. A running service applies this within a few seconds.',
    options: [new Option('--yes', 'confirm that the counts are deleted').makeOptionMandatory()],
    json: false,
    run: withCounters(async ({ counters }, name: string) => {
      await counters.reset(name);
      print(`${name} was reset.`);
    }),
  },
  {
    name: 'seed <counter> <total>',
    help: "Set the total of a counter. Today's counts do not change. A running service applies this within a few seconds.",
    json: false,
    run: withCounters(async ({ counters }, name: string, text: string) => {
      const total = readTotal(text);
      await counters.seed(name, total);
      print(`${name} continues from ${total}.`);
    }),
  },
] satisfies readonly Subcommand[];

function counterTable(counters: readonly Counter[]): string[] {
  return tableOf(
    ['NAME', 'TOTAL', 'TODAY', 'UNIQUE TODAY', 'SEED', 'STATE', 'ORIGINS'],
    counters.map(({ name, total, today, uniqueToday, seed, enabled, origins }) => [
      name,
      ...[total, today, uniqueToday, seed].map(String),
      enabled ? 'enabled' : 'disabled',
      origins.join(' '),
    ]),
  );
}

function readTotal(text: string): number {
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : fail('The total must be a whole number of at least 0.');
}
