// Update of a catalog to a newer bundled catalog: which sources are replaced, added or retired.
import { expect } from 'chai';
import type { BundleFacts } from '../../src/catalog/catalog-store.js';
import { bundleUpdate } from '../../src/catalog/bundle-update.js';

const older: BundleFacts = { version: '1.0.0', builtAt: '2026-01-01T00:00:00.000Z', sources: ['a', 'b', 'gone'] };
const newer: BundleFacts = { version: '1.1.0', builtAt: '2026-02-01T00:00:00.000Z', sources: ['a', 'b', 'new'] };

describe('the update of a bundled catalog', () => {
  it('replaces the sources of the older one, adds new ones, and retires missing ones', () => {
    const sources = ['a', 'b', 'gone'].map((id) => ({ id, bundle: older }));
    expect(bundleUpdate(newer, sources)).to.deep.equal({ from: '1.0.0', put: ['a', 'b', 'new'], retired: ['gone'] });
  });

  it('keeps separately imported sources, and does not restore removed ones', () => {
    const sources = [{ id: 'a', bundle: older }, { id: 'new' }, { id: 'folder:own' }];
    expect(bundleUpdate(newer, sources)).to.deep.equal({ from: '1.0.0', put: ['a'], retired: [] });
  });

  for (const [name, sources] of [
    ['as new', [{ id: 'a', bundle: newer }]],
    ['newer', [{ id: 'a', bundle: { ...newer, builtAt: '2026-03-01T00:00:00.000Z' } }]],
    ['not bundled', [{ id: 'a' }]],
    ['empty', []],
  ] as const)
    it(`does nothing to a catalog that is ${name}`, () => {
      expect(bundleUpdate(newer, sources)).to.equal(undefined);
    });
});
