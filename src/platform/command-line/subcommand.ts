// Types of commands and subcommands.
import type { Option } from 'commander';

export interface Command {
  /**
   * Syntax and help of the command's only argument. Subcommands do not use this field, because they declare their
   * arguments in `name`.
   */
  readonly argument?: readonly [syntax: string, help: string];
  /** Options besides `--json`. */
  readonly options?: readonly Option[];
  /**
   * Allowed values of arguments, by the argument's name. They are validated, printed in the help, and used for
   * completion.
   */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** False if the command has no option `--json`. */
  readonly json?: false;
  /** Handler. Its parameters are the arguments in order, then the options. */
  readonly run: (...given: never[]) => Promise<void>;
}

export interface Subcommand extends Command {
  /** Name and arguments, for example `set-tier <account> <tier>`. */
  readonly name: string;
  readonly help: string;
}
