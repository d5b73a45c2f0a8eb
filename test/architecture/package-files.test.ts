// Relative links in the documents of the npm package: each link must lead to a file of the package.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/service-process.js';

function packedFiles(): readonly string[] {
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    ...{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 },
  });
  const [{ files }] = JSON.parse(listing) as [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => path);
}

/** Returns the targets of Markdown links and images, without anchors, relative to the root of the package. */
function linkedPaths(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => posix.join(posix.dirname(document), target));
}

describe('documents of the package', () => {
  it('link to files that are in the package', () => {
    const files = packedFiles();
    const documents = files.filter((path) => /^(?:docs\/.*)?[^/]+\.md$/.test(path));
    expect(documents).to.include.members(['README.md', 'docs/install.md']);
    const missing = documents.flatMap((document) =>
      linkedPaths(document)
        .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
        .map((path) => `${document} → ${path}`),
    );
    expect(missing).to.deep.equal([]);
  });
});
