// Progress of an import: text, percentage and log lines.
import { expect } from 'chai';
import { openImportLines } from '../../src/catalog/import-display.command.js';
import { importPercent, importText, type ImportProgress } from '../../src/catalog/import/import-progress.js';
import { eventually } from '../support/auth.js';

const source = 'package:simple-icons';
const STEPS: readonly ImportProgress[] = [
  { phase: 'open' },
  { phase: 'read', source, done: 0, total: 14_172 },
  { phase: 'read', source, done: 64, total: 14_172 },
  { phase: 'read', source, done: 14_172, total: 14_172 },
  { phase: 'merge', done: 0, total: 6336 },
  { phase: 'merge', done: 6336, total: 6336 },
  { phase: 'write', done: 500, total: 6328 },
  { phase: 'write', done: 6328, total: 6328 },
  { phase: 'index' },
];

describe('progress of an import', () => {
  it('never falls, and is complete at the end only', () => {
    const percents = STEPS.map((step) => importPercent(step) ?? -1);
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
    expect(percents[0]).to.equal(0);
    expect(percents.at(-1)).to.be.below(100);
  });

  it('has a percentage in whole numbers, even if a source announces too few icons or none', () => {
    expect(importPercent({ phase: 'read', source, done: 20, total: 10 })).to.equal(90);
    expect(importPercent({ phase: 'read', source, done: 0, total: 0 })).to.equal(0);
    expect(importPercent({ phase: 'read', source, done: 1, total: 3 })).to.equal(30);
    expect(importPercent({ phase: 'elsewhere' })).to.equal(undefined);
  });

  it('names what is counted', () => {
    expect(STEPS.map(importText)).to.include.members([
      'opening the icon packages',
      '64 of 14,172 icons read',
      '6,336 of 6,336 brands merged',
      '500 of 6,328 entries written',
      'building the search index',
    ]);
  });

  it('logs one line immediately, then the newest every few seconds, and none without news', async () => {
    const lines: string[] = [];
    let turns = 0;
    const display = openImportLines((line) => lines.push(line), 5);
    const clock = setInterval(() => (turns += 1), 5);
    const severalTurns = () => eventually(() => turns >= 5, 'turns of the clock');
    display.show({ phase: 'open' });
    display.show({ phase: 'read', source, done: 64, total: 14_172 });
    expect(lines).to.deep.equal(['Catalog import: 0 %, 64 of 14,172 icons read (simple-icons)']);
    display.show({ phase: 'read', source, done: 128, total: 14_172 });
    display.show({ phase: 'read', source, done: 7086, total: 14_172 });
    expect(lines).to.have.length(1);
    await severalTurns();
    expect(lines.slice(1)).to.deep.equal(['Catalog import: 45 %, 7,086 of 14,172 icons read (simple-icons)']);
    turns = 0;
    await severalTurns();
    expect(lines).to.have.length(2);
    display.stop();
    display.show({ phase: 'index' });
    turns = 0;
    await severalTurns();
    expect(lines).to.have.length(2);
    clearInterval(clock);
  });

  it('removes characters that control a terminal', () => {
    const lines: string[] = [];
    const display = openImportLines((line) => lines.push(line));
    display.show({ phase: 'read', source: 'iconify:\u001b[2J', done: 1, total: 2 });
    display.stop();
    expect(lines[0]).to.include('\\u001b[2J').and.not.include('\u001b');
  });
});
