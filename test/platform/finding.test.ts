// Difference between the clocks of this process and of a server.
import { expect } from 'chai';
import { clockFinding } from '../../src/platform/doctor-finding.js';

const NOON = Date.parse('2026-05-01T12:00:00Z');

describe('clockFinding', () => {
  const status = (serverMs: number, roundTripMs = 0) =>
    clockFinding('redis', serverMs, [NOON, NOON + roundTripMs]).status;

  it('allows a second each way, beyond the time that the answer took', () => {
    expect([NOON - 1000, NOON, NOON + 1000].map((ms) => status(ms))).to.deep.equal(['ok', 'ok', 'ok']);
    expect([NOON - 1001, NOON + 1001].map((ms) => status(ms))).to.deep.equal(['error', 'error']);
    expect(status(NOON + 3000, 2000)).to.equal('ok');
    expect(status(NOON + 3001, 2000)).to.equal('error');
    expect(status(NOON - 1001, 2000)).to.equal('error');
  });

  it('tells the difference of the clocks, and what to do', () => {
    expect(clockFinding('mongodb', NOON + 65_000, [NOON, NOON])).to.deep.include({
      check: 'mongodb clock',
      advice: 'Synchronize both clocks with NTP.',
    });
    expect(clockFinding('mongodb', NOON + 65_000, [NOON, NOON]).message).to.match(
      /differs from the clock of this machine by 65\.0 s/,
    );
  });
});
