// Contract tests: tests of a port that every family must pass.
import { clockAt, type Clock } from '../../support/clock.js';

/** Opens the stores of a family for one test. `clock` is the clock of this test. */
export type Open<Parts> = (clock: Clock) => Opened<Parts> | Promise<Opened<Parts>>;
type Opened<Parts> = Parts & { readonly close: () => void | Promise<void> };

/**
 * Returns a function that runs contract tests with the stores of one family, such as `embedded` or `MongoDB`. `define`
 * gets the stores and the clock, which are new for every test.
 */
export function contract<Parts extends object, Options = undefined>(
  port: string,
  define: (under: Parts & { readonly clock: Clock }, options?: Options) => void,
): (family: string, open: Open<Parts>, options?: Options) => void {
  return (family, open, options) =>
    describe(`${port}, ${family}`, () => {
      const under = {} as Parts & { readonly clock: Clock };
      let opened: Opened<Parts>;
      beforeEach(async () => {
        const clock = clockAt();
        opened = await open(clock);
        Object.assign(under, opened, { clock });
      });
      afterEach(() => opened.close());
      define(under, options);
    });
}
