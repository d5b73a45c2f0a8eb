// Progress output of the commands that copy all data.
import { expect } from 'chai';
import { runIn } from '../../src/platform/command-line/command.js';
import { transferProgress } from '../../src/operations/transfer-report.command.js';

describe('the progress of a transfer', () => {
  it('prints one line for each step, when it is done, however often it is reported', async () => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    await runIn({ variables: {}, print, printError: print }, async () => {
      const progress = transferProgress();
      for (const done of [200, 400, 1234]) progress.show({ what: 'accounts', done, total: 1234 });
      expect(lines).to.deep.equal([]);
      progress.show({ what: 'days of usage', done: 7, total: 7 });
      progress.show({ what: 'visitor counters', done: 1, total: 3 });
      progress.stop();
      progress.stop();
    });
    expect(lines).to.deep.equal(['1,234 accounts', '7 days of usage', '1 of 3 visitor counters']);
  });
});
