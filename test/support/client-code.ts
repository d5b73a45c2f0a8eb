// Compiles code of a separate project that uses the typed client.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './service-process.js';

/** Returns the errors of the compiler, or an empty string. `files`: file name without extension → code. */
export async function compilerErrors(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const compilerOptions = {
    ...{ module: 'ESNext', moduleResolution: 'bundler', target: 'ES2022', noEmit: true, strict: true },
    ...{ lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    ...{ skipLibCheck: true, paths: { 'blazon/client': [join(ROOT, 'src/client/index.ts')] } },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
