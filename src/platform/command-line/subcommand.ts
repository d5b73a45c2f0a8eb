// Types of commands.
import type { Option } from 'commander';

export interface Command {
  /** Its only argument, and what that is. A subcommand has its arguments in its name. */
  readonly argument?: readonly [syntax: string, help: string];
  /** Beside `--json`. */
  readonly options?: readonly Option[];
  /** Values of an argument by its name: checked, printed in the help, completed. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** False: it has no `--json`. */
  readonly json?: false;
  /** Its parameters: the arguments in their order, then the flags. */
  readonly run: (...given: never[]) => Promise<void>;
}

export interface Subcommand extends Command {
  /** With its arguments, as in `set-tier <account> <tier>`. */
  readonly name: string;
  readonly help: string;
}
