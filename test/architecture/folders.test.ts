// No cycles between folders, a folder and the ones inside it among them, which dependency-cruiser takes for one.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Which folders each folder of src/ and workers/ imports, itself left out. */
function folderImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const top of ['src', 'workers', 'config']) {
    for (const name of readdirSync(root + top, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const folder = dirname(join(top, name));
      const targets = imports.get(folder) ?? new Set<string>();
      imports.set(folder, targets);
      for (const [, path = ''] of readFileSync(join(root, top, name), 'utf8').matchAll(/ from '(\.[^']+)';$/gm)) {
        const target = join(folder, path);
        // `src/platform/errors.ts` and its neighbors are below or above everything, each by a rule of its own.
        if (dirname(target) !== folder && dirname(target) !== 'src') targets.add(dirname(target));
      }
    }
  }
  imports.delete('src');
  return imports;
}

/** Folders from which imports lead back to where they began. */
function onCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string) => {
    const seen = new Set<string>();
    const open = [...(imports.get(from) ?? [])];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      open.push(...(imports.get(folder) ?? []));
    }
    return seen;
  };
  return [...imports.keys()].filter((folder) => reached(folder).has(folder)).sort();
}

describe('folders', () => {
  it('import each other in one direction', () => {
    expect(onCycles(folderImports())).to.deep.equal([]);
  });

  it('are reported when they form a cycle', () => {
    const imports = new Map(
      [
        ['a', ['a/b']],
        ['a/b', ['c']],
        ['c', ['a']],
        ['d', ['a']],
      ].map(([from, to]) => [from as string, new Set(to)]),
    );
    expect(onCycles(imports)).to.deep.equal(['a', 'a/b', 'c']);
  });
});
