// Table of commands. Each command has a purpose, subcommands, arguments, options and a handler.
import { Command as Program, type Argument } from 'commander';
import { similarNames } from '../../config/similar-names.js';
import { FEATURES } from '../features.js';
import { operations } from '../operations/index.js';
import type { CommandEntry, Feature } from '../platform/feature.js';
import { commandText } from '../platform/command-text.js';
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

const SERVE_HELP = 'Starts the service. This is the default command.';

const OWN: Feature = {
  name: 'cli',
  commands: {
    add: {
      help: 'Copies drawings into a project, from the catalog of this release or from a service, and lists their licenses.',
      example: 'github stripe --variant mono --format react --dir src/icons',
      load: () => import('./add.js'),
    },
    completion: {
      help: 'Prints scripts for shell completion of these commands.',
      example: 'bash',
      load: () => import('./completion.js'),
    },
  },
};

export const COMMANDS = Object.fromEntries(
  [...FEATURES, operations, OWN]
    .flatMap(({ commands = {} }) => Object.entries(commands))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

function isCommand(name: string): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/** Runs a command and returns its exit code. `words`: arguments after the name of the command. */
export function runCommand(name: string, words: readonly string[], terminal = processTerminal()): Promise<number> {
  return runIn(
    terminal,
    async () => {
      const program = await programOf(name);
      await program.parseAsync(words, { from: 'user' });
    },
    FEATURES,
  );
}

/** Loads the subcommands that features add to a command of another feature. */
async function addedTo(name: string): Promise<readonly Subcommand[]> {
  const added = await Promise.all(FEATURES.map(async ({ subcommands }) => subcommands?.[name]?.() ?? []));
  return added.flat();
}

export async function programOf(name: string): Promise<Program> {
  const entry = COMMANDS[name];
  if (!entry) failUnknown(name);
  const { default: own } = await entry.load(FEATURES);
  const found = 'run' in own ? own : [...own, ...(await addedTo(name))];
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

/** Returns an example of the command, with all required arguments and options. */
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

/** Runs the executable and returns its exit code. `words`: arguments after the name of the executable. */
export function runExecutable(words: readonly string[], terminal = processTerminal()): Promise<number> {
  const [name = '--help', ...rest] = words;
  if (isCommand(name)) return runCommand(name, rest, terminal);
  if (name === 'help' && isCommand(rest[0] ?? '')) return runExecutable([...rest, '--help'], terminal);
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
  const suggestion = similar ? `Did you mean ${similar.meant}?` : `Commands: ${commands.join(', ')}.`;
  fail(`There is no ${name.startsWith('-') ? 'option' : 'command'} "${name}". ${suggestion}`, EXIT_USAGE);
}

function overview(): string[] {
  const rows = Object.entries({ serve: { help: SERVE_HELP }, ...COMMANDS });
  return [
    `Blazon ${packageVersion()}: an API for icons and brand assets.`,
    '',
    'Usage: blazon [command]',
    '',
    ...rows.map(([name, { help }]) => `  ${name.padEnd(12)}${help.slice(0, help.indexOf('.') + 1)}`),
    '',
    'Use blazon <command> --help for details and an example, and blazon --version for the version.',
    'In a clone of the repository, use npm scripts instead: npm start, npm run account -- list.',
  ];
}

/** Returns completions for the last word: commands, options, and values of options. */
async function completions(words: readonly string[]): Promise<readonly string[]> {
  const [name = '', ...rest] = words;
  if (rest.length === 0) return ['serve', ...Object.keys(COMMANDS)];
  if (!isCommand(name)) return [];
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

/** Creates a program. For an unknown command or option, it suggests the most similar name and exits with code 2. */
function createProgram(name: string, { help, example }: Pick<CommandEntry, 'help' | 'example'>): Program {
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
