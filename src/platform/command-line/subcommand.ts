// Types of commands.
import type { Option } from 'commander';

export interface Command {
  /** Syntax and help of the only argument. A subcommand has its arguments in its name. */
  readonly argument?: readonly [syntax: string, help: string];
  /** Options in addition to `--json`. */
  readonly options?: readonly Option[];
  /** Allowed values by the argument's name. They are checked, printed in the help, and completed. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** False if the command has no `--json`. */
  readonly json?: false;
  /** Handler. Its parameters are the arguments in order, then the flags. */
  readonly run: (...given: never[]) => Promise<void>;
}

export interface Subcommand extends Command {
  /** Name with the arguments, for example `set-tier <account> <tier>`. */
  readonly name: string;
  readonly help: string;
}
