// The table of commands: what each is for, and its subcommands with their arguments, options and handlers.
import { Command as Program, type Argument } from 'commander';
import { similarNames } from '../../config/similar-names.js';
import { commandText } from '../platform/installation.js';
import { packageVersion } from '../platform/package-version.js';
import {
  EXIT_USAGE,
  fail,
  print,
  printError,
  processTerminal,
  runIn,
  switchToJson,
  type Command,
  type Subcommand,
} from '../platform/command-line/command.js';

const SERVE_HELP = 'Starts the service; what a call without a command does.';

interface CommandEntry {
  readonly help: string;
  /** The words behind its name. */
  readonly example: string;
  /** When it runs: each has libraries that others do not need. */
  readonly load: () => Promise<{ readonly default: Command | readonly Subcommand[] }>;
}

export const COMMANDS = {
  add: {
    help: 'Copies drawings into a project, from the catalog of this release or from a service, and lists their licenses.',
    example: 'github stripe --variant mono --format react --dir src/icons',
    load: () => import('./add.js'),
  },
  account: {
    help: 'Create, list, show and change accounts. <account> is an e-mail address or an id. May run beside the service.',
    example: 'create you@example.com --tier pro',
    load: () => import('../accounts/account.command.js'),
  },
  backup: {
    help: 'Writes everything that is stored into a new file, a SQLite database. May run beside the service. JWT_SECRET is not in it.',
    example: '/backup/blazon.sqlite',
    load: () => import('../operations/backup.command.js'),
  },
  billing: {
    help: 'Subscriptions and payment events. <account> is an e-mail address or an id. May run beside the service.',
    example: 'sync you@example.com',
    load: () => import('../billing/billing.command.js'),
  },
  catalog: {
    help: 'The icons that the service serves. May run beside it.',
    example: 'import --folder logos',
    load: () => import('../catalog/catalog.command.js'),
  },
  brands: {
    help: 'Own brands of an account, by its API key: `push` puts a folder of SVG files.',
    example: 'push logos --url https://icons.example --key blz_…',
    load: () => import('../own-brands/brands.command.js'),
  },
  counters: {
    help: 'Visitor counters. Which there are is in config/counters.json. May run beside the service, which is some seconds ahead.',
    example: 'show example',
    load: () => import('../visitor-counters/counters.command.js'),
  },
  doctor: {
    help: 'Checks this deployment. Exit code 1 when something is wrong.',
    example: '--json',
    load: () => import('../operations/doctor.command.js'),
  },
  jobs: {
    help: 'Background jobs of the service. May run beside it.',
    example: 'list',
    load: () => import('../platform/jobs/jobs.command.js'),
  },
  mcp: {
    help: 'Serves the bundled catalog to agents: the Model Context Protocol on standard input and output. Offline.',
    example: '--url https://icons.example.com',
    load: () => import('../agents/mcp.command.js'),
  },
  migrate: {
    help: 'Copies everything between DATA_DIR and the cluster of MONGODB_URI and REDIS_URL, and compares both. No process may serve meanwhile.',
    example: '--to cluster --dry-run',
    load: () => import('../operations/migrate.command.js'),
  },
  reload: {
    help: 'Replaces the processes of PM2 by those of this build, one after the other. Exit code 1 when one cannot start: the old ones go on serving then.',
    example: '--wait 60',
    load: () => import('../operations/reload.command.js'),
  },
  restore: {
    help: 'Puts a backup in place: into DATA_DIR, or into the cluster that the environment names. No process may serve meanwhile.',
    example: '/backup/blazon.sqlite --replace',
    load: () => import('../operations/restore.command.js'),
  },
  completion: {
    help: 'Scripts by which a shell completes the words of these commands.',
    example: 'bash',
    load: () => import('./completion.js'),
  },
} satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof COMMANDS;

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** The exit code. `words`: the arguments behind the name of the command, as in `npm run name -- words`. */
export function runCommand(name: CommandName, words: readonly string[], terminal = processTerminal()): Promise<number> {
  return runIn(terminal, async () => {
    const program = await programOf(name);
    await program.parseAsync(words, { from: 'user' });
  });
}

/** The command with its subcommands. */
export async function programOf(name: CommandName): Promise<Program> {
  const entry: CommandEntry = COMMANDS[name];
  const { default: found } = await entry.load();
  const program = createProgram(name, entry);
  if ('run' in found) define(program, found);
  else {
    for (const one of found) {
      const command = program.command(one.name).description(one.help);
      define(command, one);
      const isOfEntry = entry.example.split(' ')[0] === command.name();
      addExample(command, `${name} ${isOfEntry ? entry.example : exampleOf(command)}`);
    }
    program.showHelpAfterError(`${name} has: ${program.commands.map((command) => command.name()).join(', ')}.`);
  }
  return program;
}

/** Arguments and values of options in examples, by their names. */
const SAMPLES: Readonly<Record<string, string>> = {
  account: 'you@example.com',
  address: 'new@example.com',
  counter: 'example',
  dir: 'sheets',
  email: 'you@example.com',
  event: 'evt_1Nv0FGQ9RKHgCVdK',
  id: 'wbk3v9qd',
  slug: 'github',
  source: 'iconify:mdi',
  text: 'git',
  total: '1000',
};

/** With the required arguments and options. */
function exampleOf(command: Program): string {
  const sample = ({ name, choices }: { readonly name: string; readonly choices: readonly string[] | undefined }) =>
    choices?.[0] ?? SAMPLES[name] ?? name;
  const words = command.registeredArguments
    .filter((argument) => argument.required)
    .map((argument) => sample({ name: argument.name(), choices: argument.argChoices }));
  const options = command.options
    .filter((option) => option.mandatory)
    .flatMap(({ long, flags, argChoices }) => {
      const [, value] = /<(\w+)>/.exec(flags) ?? [];
      return [long ?? flags, ...(value === undefined ? [] : [sample({ name: value, choices: argChoices })])];
    });
  return [command.name(), ...words, ...options].join(' ');
}

function addExample(program: Program, words: string): void {
  program.addHelpText('after', `\nExample: ${commandText(words)}`);
}

const VERSION_WORDS = ['--version', '-V', '-v'];

/** The exit code. `words`: none, or those of a command, behind the executable's name. */
export function runExecutable(words: readonly string[], terminal = processTerminal()): Promise<number> {
  const [name = '--help', ...rest] = words;
  if (isCommandName(name)) return runCommand(name, rest, terminal);
  if (name === 'help' && isCommandName(rest[0] ?? '')) return runExecutable([...rest, '--help'], terminal);
  return runIn(terminal, async () => {
    const [topic = 'serve'] = rest;
    if (name === 'help' && topic !== 'serve') failUnknown(topic);
    else if (['--help', '-h', 'help'].includes(name)) overview().forEach(print);
    else if (VERSION_WORDS.includes(name)) print(packageVersion());
    else if (name === 'complete') (await completions(rest)).forEach(print);
    else failUnknown(name);
  });
}

function failUnknown(name: string): never {
  const commands = ['serve', ...Object.keys(COMMANDS)];
  const [similar] = similarNames([name], [...commands, '--help', '--version']);
  const suggestion = similar ? `Did you mean ${similar.meant}?` : `There are ${commands.join(', ')}.`;
  fail(`There is no ${name.startsWith('-') ? 'option' : 'command'} "${name}". ${suggestion}`, EXIT_USAGE);
}

/** One screen. */
function overview(): string[] {
  const rows = Object.entries({ serve: { help: SERVE_HELP }, ...COMMANDS });
  return [
    `Blazon ${packageVersion()}: an API for icons and brand assets.`,
    '',
    'Usage: blazon [command]',
    '',
    ...rows.map(([name, { help }]) => `  ${name.padEnd(12)}${help.slice(0, help.indexOf('.') + 1)}`),
    '',
    'blazon <command> --help says more, with an example; --version prints the release.',
    'In a clone these are scripts of npm: npm start, npm run account -- list.',
  ];
}

/** Words that may stand in the place of the last one: commands, options and their choices. */
async function completions(words: readonly string[]): Promise<readonly string[]> {
  const [name = '', ...rest] = words;
  if (rest.length === 0) return ['serve', ...Object.keys(COMMANDS)];
  if (!isCommandName(name)) return [];
  const program = await programOf(name);
  const [first = '', ...others] = rest;
  if (others.length === 0 && program.commands.length > 0) return program.commands.map((command) => command.name());
  const subcommand = program.commands.find((one) => one.name() === first);
  const command = subcommand ?? program;
  const option = command.options.find(({ long }) => long === rest.at(-2));
  const before = (subcommand ? others : rest).slice(0, -1).filter((word) => !word.startsWith('-'));
  const argument: Argument | undefined = command.registeredArguments[before.length];
  return option?.argChoices ?? argument?.argChoices ?? command.options.flatMap(({ long }) => long ?? []);
}

/** An unknown command or option ends it with 2 and the nearest known one. */
function createProgram(name: CommandName, { help, example }: CommandEntry): Program {
  const program = new Program(commandText(`${name} `).trimEnd())
    .description(help)
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print the help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => text.trimEnd().split('\n').forEach(print),
      writeErr: (text) => text.trimEnd().split('\n').forEach(printError),
    });
  addExample(program, `${name} ${example}`);
  return program;
}

function define(program: Program, { argument, options = [], choices = {}, json, run }: Command): void {
  if (argument) program.argument(...argument);
  for (const one of program.registeredArguments) {
    const values = choices[one.name()];
    if (values) one.choices(values);
  }
  for (const option of options) program.addOption(option);
  if (json !== false) program.option('--json', 'print JSON');
  const parent = program.parent ? `${program.parent.name()} ` : '';
  program.showHelpAfterError(`Usage: ${parent}${program.name()} ${program.usage()}`);
  program.action(async (...values: unknown[]) => {
    if (program.opts<{ json?: true }>().json === true) switchToJson();
    await run(...(values as never[]));
  });
}
