// The documents that are derived from code, as text.
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../config/env.js';
import { readPasswordRules } from '../config/passwords.js';
import { readPlans } from '../config/plans.js';
import { ERRORS, type ErrorCode } from '../src/errors.js';
import { openApiDocument } from '../src/http/openapi/document.js';
import { routeErrors } from '../src/http/openapi/route-errors.js';
import type { ReplacedAddress } from '../src/http/route.js';
import type { Deployment } from '../src/http/route-services.js';
import { allRoutes } from '../src/http/routes/index.js';
import { packageVersion } from '../src/package-version.js';

const MOVING = new URL('../../docs/moving.md', import.meta.url); // from dist/scripts/
const KEY_PLACE = '/compat/{publishableKey}';

interface ReplacingOperation {
  readonly 'x-replaces'?: ReplacedAddress & { readonly here: string };
}

const GENERATED = '<!-- Written by `npm run docs`. -->\n';
const DEFAULT_PUBLIC_URL = 'http://localhost:3000';
/** Describing them needs only what their schemas depend on. */
const ROUTES = allRoutes({ minPasswordCharacters: readPasswordRules().minCharacters } as Deployment).filter(
  ({ hidden }) => hidden !== true,
);

/** File name below docs/ → its text. */
export function derivedDocuments(): Record<string, string> {
  const document = openApiDocument({
    routes: ROUTES,
    version: packageVersion(),
    publicUrl: DEFAULT_PUBLIC_URL,
    plans: readPlans(),
  });
  return {
    'errors.md': errorsDocument(),
    'configuration.md': configurationDocument(),
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'moving.md': movingDocument(document),
  };
}

/** Its table alone is derived. */
function movingDocument(document: object): string {
  const { paths } = document as { readonly paths: Readonly<Record<string, { readonly get?: ReplacingOperation }>> };
  const rows = Object.values(paths).flatMap(({ get }) => {
    const replaced = get?.['x-replaces'];
    return replaced ? [`| \`${replaced.address}\` | \`${replaced.here.replace(KEY_PLACE, 'BASE')}\` |`] : [];
  });
  const [head = '', , tail = ''] = readFileSync(MOVING, 'utf8').split(/(?<=npm run docs`\. -->\n)|(?=<!-- End\. -->)/);
  return `${head}| From | To |\n|---|---|\n${rows.join('\n')}\n${tail}`;
}

function errorsDocument(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const used = ROUTES.filter((route) => routeErrors(route).includes(code));
    const where =
      used.length > 4 ? `${used.length} routes` : used.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
    return `| ${ERRORS[code].status} | \`${code}\` | ${ERRORS[code].message} | ${ERRORS[code].action} | ${where || 'any address'} |`;
  });
  return `${GENERATED}
# Errors

Every error is JSON: \`{"error": code, "message": text}\`; one about fields adds
\`details: [{field, reason, allowed?}]\`. Every 503 and 429 says when to retry in \`Retry-After\`.

| Status | Code | Meaning | What to do | Where |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function configurationDocument(): string {
  const rows = Object.entries(VARIABLES).map(([name, { default: fallback, meaning }]) => {
    // One machine's core count is not everybody's default.
    const shown = name === 'RENDER_THREADS' ? 'cores' : fallback === '' ? '–' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  return `${GENERATED}
# Configuration

Environment variables. A wrong value stops the start with one line that names it, and exit code 78.

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}

Files in \`config/\` hold what is too big for a variable, and are checked the same way: \`plans.json\` (tiers and their
limits), \`passwords.json\` (length, cost of hashing), \`common-passwords.txt\` (those that are rejected),
\`catalog.json\` (sources, license policy, names), \`brand-domains.json\` (whose domain is whose), \`kinds.json\` (kinds of brands that people search for).
`;
}
