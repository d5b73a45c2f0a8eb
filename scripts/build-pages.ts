// Build step for what `tsc` does not copy: the files of the pages, and the script of Scalar from its package.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import scalar from '@scalar/fastify-api-reference';
import { encodeFiles } from './encode-files.js';

/** The part of Fastify that the plugin uses to serve its script. */
interface Host {
  route(route: { readonly url: string; readonly handler: (request: object, reply: ScriptReply) => unknown }): void;
}
interface ScriptReply {
  header(): ScriptReply;
  send(script: string): void;
}
type Plugin = (host: Host, options: object, done: () => void) => void;

/**
 * `@scalar/api-reference` has the same script as a file, among some 270 packages of 240 MB that only its source needs;
 * this package brings 28 of 30 MB, and the script inside its code.
 */
function scalarScript(): string {
  let found = '';
  const reply: ScriptReply = {
    header: () => reply,
    send: (script) => {
      found = script;
    },
  };
  const host: Host = { route: ({ url, handler }) => url.endsWith('.js') && handler({}, reply) };
  (scalar as unknown as Plugin)(host, { configuration: { url: '/openapi.json' } }, () => undefined);
  if (!found.includes('createApiReference')) throw new Error('The package of Scalar has no script.');
  // Its map is not served.
  return found.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

/** The encoding of 4 MB takes some seconds, so that the file is left as it is while the package has not changed. */
function writeScalarScript(file: URL): void {
  const script = scalarScript();
  if (!existsSync(file) || readFileSync(file, 'utf8') !== script) writeFileSync(file, script);
}

const root = new URL('../../', import.meta.url); // from dist/scripts/
const pages = new URL('dist/src/http/pages/', root);
cpSync(new URL('src/http/pages/assets/', root), new URL('assets/', pages), { recursive: true });
cpSync(new URL('../LICENSE', import.meta.resolve('@scalar/fastify-api-reference')), new URL('scalar.LICENSE', pages));
writeScalarScript(new URL('assets/scalar.js', pages));
await encodeFiles(fileURLToPath(new URL('assets/', pages)));
