// The section of a release in CHANGELOG.md.
import { expect } from 'chai';
import { datedChangelog } from '../../scripts/changelog.js';

const DAY = new Date('2026-12-01T12:00:00Z');
const text = '# Changelog\n\n## 0.2.0 – unreleased\n\n- Something.\n\n## 0.1.0 – 2026-11-30\n\n- First.\n';

describe('the changelog at a release', () => {
  it('gets the date of the release', () => {
    expect(datedChangelog(text, '0.2.0', DAY)).to.equal(text.replace('0.2.0 – unreleased', '0.2.0 – 2026-12-01'));
  });

  it('must have a non-empty section of an unreleased version', () => {
    expect(() => datedChangelog(text, '0.3.0', DAY)).to.throw('no section "## 0.3.0 – unreleased"');
    expect(() => datedChangelog(text, '0.1.0', DAY)).to.throw('no section');
    expect(() => datedChangelog(text.replace('- Something.\n', ''), '0.2.0', DAY)).to.throw('nothing about 0.2.0');
  });
});
