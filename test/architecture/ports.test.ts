// Every port has a contract suite, or is the same in every family.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const names = (folder: string, ending: string) =>
  readdirSync(root + folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length));

/** The same implementation in every family, so its promise is tested once: there. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'access-tokens': 'unit/access-tokens',
  'catalog-sources': 'unit/catalog-sources',
  'common-passwords': 'unit/domain/account/password-policy',
  mailer: 'fault/mail',
  'password-hasher': 'unit/password-hasher',
  rasterizer: 'worker/raster',
  sanitizer: 'worker/sanitize',
};

describe('ports', () => {
  it('have a contract suite each', () => {
    const suites = new Set(names('test/contract', '.contract.ts'));
    const bare = names('src/ports', '.ts').filter((port) => !suites.has(port) && !(port in TESTED_ELSEWHERE));
    expect(bare).to.deep.equal([]);
    for (const file of Object.values(TESTED_ELSEWHERE)) expect(existsSync(`${root}test/${file}.test.ts`), file).to.equal(true);
  });

  it('are each fulfilled by a file of the same name', () => {
    const folders = readdirSync(`${root}src/adapters`);
    const adapters = new Set(folders.flatMap((folder) => names(`src/adapters/${folder}`, '.ts')));
    const ports = names('src/ports', '.ts').filter((port) => port !== 'catalog-sources');
    expect(ports.filter((port) => !adapters.has(port))).to.deep.equal([]);
  });
});
