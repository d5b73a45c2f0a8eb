// Ports: a contract suite each, or one implementation for every family.
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const names = (folder: string, ending: string) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => basename(file, ending));

/** The same implementation in every family, so its promise is tested once: there. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'access-tokens': 'unit/adapters/jwt/access-tokens',
  'catalog-sources': 'unit/adapters/icon-sources/catalog-sources',
  'common-passwords': 'unit/domain/account/password-policy',
  mailer: 'fault/mail',
  'password-hasher': 'unit/adapters/workers/password-hasher',
  rasterizer: 'worker/raster',
  sanitizer: 'worker/sanitize',
};

describe('ports', () => {
  it('have a contract suite each', () => {
    const suites = new Set(names('test/contract', '.contract.ts'));
    const bare = names('src/ports', '.ts').filter((port) => !suites.has(port) && !(port in TESTED_ELSEWHERE));
    expect(bare).to.deep.equal([]);
    for (const file of Object.values(TESTED_ELSEWHERE))
      expect(existsSync(`${root}test/${file}.test.ts`), file).to.equal(true);
  });

  it('are each implemented by a file of the same name', () => {
    const adapters = new Set(names('src/adapters', '.ts'));
    const ports = names('src/ports', '.ts').filter((port) => port !== 'catalog-sources');
    expect(ports.filter((port) => !adapters.has(port))).to.deep.equal([]);
  });
});
