// Checks that optional features can be deleted. The service must compile without any of them, and each one must compile
// without the others.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import ts from 'typescript';

const { OPTIONAL } = createRequire(import.meta.url)('./feature-order.cjs');
const LIST = resolve('src/features.ts');

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  process.cwd(),
);

/** Returns the text of src/features.ts without these features. Throws if one of their lines cannot be found. */
function listWithout(features) {
  return features.reduce(
    (text, feature) => {
      const found = new RegExp(`import \\{ (\\w+) \\} from '\\./${feature}/index\\.js';\n`).exec(text);
      const shorter = found && text.replace(found[0], '').replace(`  ${found[1]},\n`, '');
      if (!found || shorter.includes(found[1])) throw new Error(`src/features.ts has no line of ${feature}`);
      return shorter;
    },
    readFileSync(LIST, 'utf8'),
  );
}

const folderOf = (feature) => `${resolve('src', feature)}/`;
const parsed = new Map();

/**
 * Compiles without the deleted features. Returns the errors in the files of `src`, `workers` and `config` that
 * `isChecked` selects.
 */
function errorsWithout(deleted, isChecked) {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, directoryExists, getSourceFile } = host;
  const folders = deleted.map(folderOf);
  const isDeleted = (path) => folders.some((folder) => `${resolve(path)}/`.startsWith(folder));
  const list = listWithout(deleted);
  host.readFile = (path) => (resolve(path) === LIST ? list : readFile(path));
  host.fileExists = (path) => !isDeleted(path) && fileExists(path);
  host.directoryExists = (path) => !isDeleted(path) && directoryExists(path);
  host.getSourceFile = (path, ...rest) => {
    if (resolve(path) === LIST) return getSourceFile(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  const files = ['src', 'workers', 'config']
    .flatMap((root) => ts.sys.readDirectory(resolve(root), ['.ts'], ['client', 'dashboard']))
    .filter((path) => !isDeleted(path));
  const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false }, host);
  return program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/'))
    .filter(({ fileName }) => isChecked(resolve(fileName)))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
}

function report(errors, what) {
  console.log(`${errors.length === 0 ? 'holds' : 'FAILS'}: ${what}`);
  if (errors.length === 0) return;
  process.exitCode = 1;
  const { getCanonicalFileName, getNewLine } = ts.createCompilerHost(options);
  console.error(
    ts.formatDiagnostics(errors, { getCanonicalFileName, getNewLine, getCurrentDirectory: () => process.cwd() }),
  );
}

report(
  errorsWithout(OPTIONAL, () => true),
  `the service without ${OPTIONAL.join(', ')}`,
);
for (const feature of OPTIONAL) {
  const others = OPTIONAL.filter((other) => other !== feature);
  report(
    errorsWithout(others, (path) => path.startsWith(folderOf(feature))),
    `src/${feature} without the other optional features`,
  );
}
