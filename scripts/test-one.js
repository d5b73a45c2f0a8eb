// `npm run test:one -- test/pictures/pictures.http.test.ts` runs some test files. Other arguments go to mocha.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { argv, execPath, exit } from 'node:process';

const words = argv.slice(2).map((word) => (/^test\/.+\.ts$/.test(word) ? `dist/${word.replace(/ts$/, 'js')}` : word));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
exit(spawnSync(execPath, [mocha, '--exit', ...words], { stdio: 'inherit' }).status ?? 1);
