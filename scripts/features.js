// Checks that each optional feature can be deleted: without its folder and its lines in src/features.ts, all types hold.
// That nothing else imports it is a rule of scripts/directions.cjs.
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

/** The list of features without one. Throws when its two lines cannot be found. */
function listWithout(feature) {
  const text = readFileSync(LIST, 'utf8');
  const found = new RegExp(`import \\{ (\\w+) \\} from '\\./${feature}/index\\.js';\n`).exec(text);
  const shorter = found && text.replace(found[0], '').replace(`  ${found[1]},\n`, '');
  if (!found || shorter.includes(found[1])) throw new Error(`src/features.ts has no line of ${feature}`);
  return shorter;
}

const isOurs = ({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/');
const parsed = new Map();

/** Errors of `src`, `workers` and `config` without the feature. */
function errorsWithout(feature) {
  const folder = `${resolve('src', feature)}/`;
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, directoryExists } = host;
  const isDeleted = (path) => `${resolve(path)}/`.startsWith(folder);
  const list = listWithout(feature);
  host.readFile = (path) => (resolve(path) === LIST ? list : readFile(path));
  host.fileExists = (path) => !isDeleted(path) && fileExists(path);
  host.directoryExists = (path) => !isDeleted(path) && directoryExists(path);
  const { getSourceFile } = host;
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
    .flatMap((file) =>
      isOurs(file) ? [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)] : [],
    );
}

for (const feature of OPTIONAL) {
  const errors = errorsWithout(feature);
  console.log(`${errors.length === 0 ? 'can' : 'CANNOT'} be deleted: src/${feature}`);
  if (errors.length === 0) continue;
  process.exitCode = 1;
  const { getCanonicalFileName, getNewLine } = ts.createCompilerHost(options);
  console.error(
    ts.formatDiagnostics(errors, { getCanonicalFileName, getNewLine, getCurrentDirectory: () => process.cwd() }),
  );
}
