// Every port has a contract suite, or a stated reason why it needs none.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const names = (folder: string, ending: string) =>
  readdirSync(root + folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));

/** One implementation each, in every family; tested where they are used. */
const WITHOUT_SUITE: Readonly<Record<string, string>> = {
  'address-budget': 'test/http/register.test.ts',
  'catalog-sources': 'test/worker/catalog-sources.test.ts',
  'common-passwords': 'test/unit/password.test.ts',
  'password-hasher': 'test/http/register.test.ts',
  sanitizer: 'test/worker/',
};

describe('ports', () => {
  it('have a contract suite each', () => {
    const suites = new Set(names('test/contract', '.contract.ts'));
    const bare = names('src/ports', '.ts').filter((port) => !suites.has(port) && !(port in WITHOUT_SUITE));
    expect(bare).to.deep.equal([]);
  });

  it('are each fulfilled by a file of the same name', () => {
    const folders = readdirSync(`${root}src/adapters`);
    const adapters = new Set(folders.flatMap((folder) => names(`src/adapters/${folder}`, '.ts')));
    const ports = names('src/ports', '.ts').filter((port) => port !== 'catalog-sources');
    expect(ports.filter((port) => !adapters.has(port))).to.deep.equal([]);
  });
});
