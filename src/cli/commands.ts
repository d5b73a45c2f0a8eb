// The table of commands: what each is for, and its subcommands with their arguments, options and handlers.
import { Command as Program } from 'commander';
import { packageVersion } from '../package-version.js';
import { print, printError, processTerminal, runIn, switchToJson, type Command, type Subcommand } from './command.js';

interface CommandEntry {
  readonly help: string;
  /** When it runs: each has libraries that others do not need. */
  readonly load: () => Promise<{ readonly default: Command | readonly Subcommand[] }>;
}

export const COMMANDS = {
  account: {
    help: 'Create, list, show and change accounts. <account> is an e-mail address or an id. May run beside the service.',
    load: () => import('./account.js'),
  },
  backup: {
    help: 'Writes everything that is stored into a new file, a SQLite database. May run beside the service. JWT_SECRET is not in it.',
    load: () => import('./backup.js'),
  },
  billing: {
    help: 'Subscriptions and payment events. <account> is an e-mail address or an id. May run beside the service.',
    load: () => import('./billing.js'),
  },
  catalog: {
    help: 'The icons that the service serves. May run beside it.',
    load: () => import('./catalog.js'),
  },
  counters: {
    help: 'Visitor counters. Which there are is in config/counters.json. May run beside the service, which is some seconds ahead.',
    load: () => import('./counters.js'),
  },
  doctor: {
    help: 'Checks this deployment. Exit code 1 when something is wrong.',
    load: () => import('./doctor.js'),
  },
  jobs: {
    help: 'Background jobs of the service. May run beside it.',
    load: () => import('./jobs.js'),
  },
  migrate: {
    help: 'Copies everything between DATA_DIR and the cluster of MONGODB_URI and REDIS_URL, and compares both. No process may serve meanwhile.',
    load: () => import('./migrate.js'),
  },
  reload: {
    help: 'Replaces the processes of PM2 by those of this build, one after the other. Exit code 1 when one cannot start: the old ones go on serving then.',
    load: () => import('./reload.js'),
  },
  restore: {
    help: 'Puts a backup in place: into DATA_DIR, or into the cluster that the environment names. No process may serve meanwhile.',
    load: () => import('./restore.js'),
  },
} satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof COMMANDS;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** The exit code. `words`: the arguments behind the name of the command, as in `npm run name -- words`. */
export function runCommand(name: CommandName, words: readonly string[], terminal = processTerminal()): Promise<number> {
  return runIn(terminal, async () => {
    const { help, load }: CommandEntry = COMMANDS[name];
    const { default: found } = await load();
    const program = createProgram(name, help);
    if ('run' in found) define(program, found);
    else for (const one of found) define(program.command(one.name).description(one.help), one);
    await program.parseAsync(words, { from: 'user' });
  });
}

/** An unknown command or option ends it with 2 and the nearest known one. */
function createProgram(name: CommandName, help: string): Program {
  return new Program(`npm run ${name} --`)
    .description(help)
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print the help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => text.trimEnd().split('\n').forEach(print),
      writeErr: (text) => text.trimEnd().split('\n').forEach(printError),
    });
}

function define(program: Program, { argument, options = [], json, example, run }: Command): void {
  if (argument) program.argument(...argument);
  for (const option of options) program.addOption(option);
  if (example !== undefined) program.addHelpText('after', `\nExample: ${example}`);
  if (json !== false) program.option('--json', 'print JSON');
  program.action(async (...given: unknown[]) => {
    if (program.opts<{ json?: true }>().json === true) switchToJson();
    await run(...(given as never[]));
  });
}
