// Dependencies whose code is part of the built files.
import { expect } from 'chai';
import { shippedPackages } from '../../scripts/shipped-packages.js';
import { ROOT } from '../support/service-process.js';

describe('packages that are built in', () => {
  it('include the packages of the dashboard with their dependencies, and no tools', () => {
    const names = shippedPackages(ROOT).map(({ name }) => name);
    expect(names).to.include.members(['@fontsource-variable/inter', '@fontsource-variable/noto-sans-thai', 'react']);
    expect(names).not.to.include.members(['fontkit']);
    expect(names).not.to.include.members(['mocha']);
    expect(names).not.to.include.members(['esbuild']);
  });
});
