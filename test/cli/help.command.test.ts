// Help, examples and completion of the commands.
import { expect } from 'chai';
import type { Command as Program } from 'commander';
import { COMMANDS, programOf, runExecutable } from '../../src/cli/commands.js';

async function run(...words: string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const status = await runExecutable(words, {
    variables: {},
    print: (line) => void stdout.push(line),
    printError: (line) => void stderr.push(line),
  });
  return { status, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** Parses the arguments without running the command. */
function withoutActions(program: Program): Program {
  for (const one of program.commands.length === 0 ? [program] : program.commands) one.action(() => undefined);
  return program;
}

async function exampleIn(name: string, subcommand: readonly string[]): Promise<string[]> {
  const { stdout } = await run(name, ...subcommand, '--help');
  const [, words] = new RegExp(`^Example: npm run ${name} -- (.+)$`, 'm').exec(stdout) ?? [];
  expect(words, `${name} ${subcommand.join(' ')}`).to.be.a('string');
  return (words ?? '').split(' ');
}

describe('help of the commands', () => {
  for (const name of Object.keys(COMMANDS))
    it(`${name}: every example is a valid call`, async () => {
      const subcommands = (await programOf(name)).commands.map((one) => [one.name()]);
      for (const subcommand of [[], ...subcommands]) {
        const words = await exampleIn(name, subcommand);
        expect(words.slice(0, subcommand.length)).to.deep.equal(subcommand);
        await withoutActions(await programOf(name)).parseAsync(words, { from: 'user' });
      }
    });

  it('is printed by `help`, too, and by a command without a subcommand', async () => {
    expect(await run('help', 'add')).to.deep.equal(await run('add', '--help'));
    expect(await run('help', 'account', 'create')).to.deep.equal(await run('account', 'create', '--help'));
    expect((await run('help')).stdout).to.include('Usage: blazon [command]');
    expect(await run('account')).to.have.property('status', 2);
    expect((await run('account')).stderr).to.include('Example: npm run account -- create');
  });

  it('an error names the valid values', async () => {
    for (const [words, text] of [
      [['accuont'], 'There is no command "accuont". Did you mean account?'],
      [['--verison'], 'There is no option "--verison". Did you mean --version?'],
      [['help', 'accuont'], 'Did you mean account?'],
      [['frobnicate'], 'Commands: serve, account, add'],
      [['account', 'frob'], 'account has: create, list, show'],
      [['account', 'create'], 'Usage: npm run account -- create [options] <email>'],
      [['add'], 'Usage: npm run add -- [options] <slug...>'],
      [['jobs', 'run', 'x'], 'Allowed choices are expire-sessions'],
    ] as const) {
      const { status, stdout, stderr } = await run(...words);
      expect([status, stdout], words.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.include(text);
    }
  });

  it('add names wrong words before it looks for anything', async () => {
    for (const [words, text] of [
      [['github', '--url', 'http://127.0.0.1:9'], '--url and --key must be used together.'],
      [['github', '--key', 'x'], '--url and --key must be used together.'],
      [['github', '--url', 'icons', '--key', 'x'], '--url: "icons" is not a URL'],
      [['github', '--url', 'localhost:3000', '--key', 'x'], '--url: "localhost:3000" is not a URL'],
      [['github', ''], '<slug...>: one of the values is empty'],
      [['github', '--dir', ''], '--dir: the value is empty'],
    ] as const)
      expect(await run('add', ...words), words.join(' '))
        .to.include({ status: 2, stdout: '' })
        .and.have.property('stderr')
        .that.matches(/^[^\n]+$/)
        .and.include(text);
  });

  it('the version has three spellings', async () => {
    for (const word of ['--version', '-V', '-v']) expect((await run(word)).stdout, word).to.match(/^\d+\.\d+\.\d+$/);
  });

  it('a shell completes the values of arguments', async () => {
    expect((await run('complete', 'account', 'set-tier', '')).stdout).not.to.include('internal');
    expect((await run('complete', 'account', 'set-tier', 'x', '')).stdout).to.include('internal\nnone');
    expect((await run('complete', 'jobs', 'run', '')).stdout).to.include('send-mails');
  });
});
