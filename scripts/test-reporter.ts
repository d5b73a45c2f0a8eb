// Mocha reporter for parallel runs: one line per file, failures immediately, and totals in a file for scripts/test.ts.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha, { type MochaOptions, type Runner, type Test } from 'mocha';

export interface Sums {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

export default class FileReporter {
  readonly #sums = { passed: 0, failed: 0, skipped: 0 };
  /** Totals of the current file. In parallel runs, Mocha reports all tests of a file when the file has ended. */
  #file = { name: '', passed: 0, failed: 0, ms: 0 };

  constructor(runner: Runner, options: MochaOptions) {
    runner.on(EVENT_TEST_PASS, (test) => {
      this.#count(test);
      this.#sums.passed += 1;
      this.#file.passed += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test, error: Error) => {
      this.#count(test);
      this.#sums.failed += 1;
      this.#file.failed += 1;
      console.log(`\n  FAILED: ${test.fullTitle()}\n${(error.stack ?? error.message).replaceAll(/^/gm, '    ')}\n`);
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      this.#sums.skipped += 1;
      console.log(`skipped: ${test.fullTitle()}`);
    });
    runner.once(EVENT_RUN_END, () => this.#printFile());
    // Writes the totals at the event `exit`, because this event occurs even if the tests are aborted.
    process.once('exit', () => {
      const { output } = (options.reporterOptions ?? {}) as { readonly output?: string };
      if (output !== undefined) writeFileSync(output, JSON.stringify(this.#sums));
    });
  }

  #count({ file = '', duration = 0 }: Test): void {
    const name = relative('dist/test', file);
    if (name !== this.#file.name) {
      this.#printFile();
      this.#file = { name, passed: 0, failed: 0, ms: 0 };
    }
    this.#file.ms += duration;
  }

  #printFile(): void {
    const { name, passed, failed, ms } = this.#file;
    if (name === '') return;
    const sums = `${passed} passed${failed > 0 ? `, ${failed} FAILED` : ''}`;
    console.log(`${(ms / 1000).toFixed(0).padStart(4)} s  ${name.padEnd(50)} ${sums}`);
  }
}
