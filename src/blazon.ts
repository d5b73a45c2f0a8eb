#!/usr/bin/env node
// Executable `blazon`: starts the service, or runs the command in its first argument.
const [name = 'serve'] = process.argv.slice(2);
if (name === 'serve') {
  process.argv.splice(2, 1);
  await import('./main.js');
} else await import('./cli/main.js');
