// `npm start`: starts the service that `npm ci` or `npm run build` has built.
import { existsSync } from 'node:fs';

const main = new URL('../dist/src/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('Nothing is built yet. Run "npm ci" (or "npm run build"), then "npm start".');
  process.exitCode = 1;
}
