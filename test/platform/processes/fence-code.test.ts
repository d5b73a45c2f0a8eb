// Files that sandboxed worker processes may read, in a clone of the repository and in an installed package.
import { expect } from 'chai';
import { codeOf } from '../../../src/platform/processes/fence.js';

describe('code of workers', () => {
  it('is part of a clone, with the other files hidden', () => {
    expect(codeOf('/srv/blazon/')).to.deep.equal({
      hidden: ['/srv/blazon/'],
      code: ['/srv/blazon/dist', '/srv/blazon/node_modules', '/srv/blazon/package.json'],
    });
  });

  for (const [name, folder, hidden, code] of [
    ['a project', '/srv/app/node_modules/blazon/', ['/srv/app'], '/srv/app/node_modules'],
    ['pnpm', '/a/node_modules/.pnpm/blazon@1.0.0/node_modules/blazon/', ['/a'], '/a/node_modules'],
    ['a global folder', '/usr/local/lib/node_modules/blazon/', [], '/usr/local/lib/node_modules'],
  ] as const)
    it(`is all of the outermost node_modules if ${name} is inside`, () => {
      expect(codeOf(folder)).to.deep.equal({ hidden, code: [code] });
    });
});
