#!/usr/bin/env node
// The executable `blazon`: serves, or runs the command that its first argument names.
const [name = 'serve'] = process.argv.slice(2);
if (name === 'serve') {
  process.argv.splice(2, 1);
  await import('./main.js');
} else await import('./cli/main.js');
