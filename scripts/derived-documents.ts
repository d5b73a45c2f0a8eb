// Generates the documents that are derived from code.
import { readFileSync } from 'node:fs';
import { VARIABLES } from '../config/env.js';
import { readPasswordRules } from '../config/passwords.js';
import { readPlans } from '../config/plans.js';
import { limitsText } from '../src/accounts/limits-text.js';
import { ERRORS, type ErrorCode } from '../src/platform/errors.js';
import { drawingsDocument } from './drawings-document.js';
import { openApiDocument } from '../src/platform/http/openapi/document.js';
import { routeErrors } from '../src/platform/http/openapi/route-errors.js';
import type { ReplacedAddress } from '../src/platform/http/route.js';
import type { Deployment } from '../src/platform/services.js';
import { FEATURES } from '../src/features.js';
import { routesOf } from '../src/platform/routes-of.js';
import { packageVersion } from '../src/platform/package-version.js';

const MIGRATION = new URL('../../docs/migrate-from.md', import.meta.url); // This file runs in dist/scripts/.
const KEY_PLACE = '/compat/{publishableKey}';

interface ReplacingOperation {
  readonly 'x-replaces'?: ReplacedAddress & { readonly here: string };
}

const GENERATED = '<!-- Written by `npm run docs`. -->\n';
const DEFAULT_PUBLIC_URL = 'http://localhost:3000';
/** All routes. The minimum length of passwords is the only setting on which the schemas of routes depend. */
const ALL = await routesOf(FEATURES, { minPasswordCharacters: readPasswordRules().minCharacters } as Deployment);
const ROUTES = ALL.filter(({ hidden }) => hidden !== true);

/** Returns the texts of the documents, by file name in docs/. */
export function derivedDocuments(): Record<string, string> {
  const document = openApiDocument({
    routes: ROUTES,
    version: packageVersion(),
    publicUrl: DEFAULT_PUBLIC_URL,
    limits: limitsText(readPlans()),
  });
  return {
    'errors.md': errorsDocument(),
    'configuration.md': configurationDocument(),
    'drawings.md': GENERATED + drawingsDocument(),
    'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'migrate-from.md': migrationDocument(document),
  };
}

/** Returns docs/migrate-from.md with a new table. The rest of the document does not change. */
function migrationDocument(document: object): string {
  const { paths } = document as { readonly paths: Readonly<Record<string, { readonly get?: ReplacingOperation }>> };
  const rows = Object.values(paths).flatMap(({ get }) => {
    const replaced = get?.['x-replaces'];
    return replaced ? [`| \`${replaced.address}\` | \`${replaced.here.replace(KEY_PLACE, 'BASE')}\` |`] : [];
  });
  const [head = '', , tail = ''] = readFileSync(MIGRATION, 'utf8').split(
    /(?<=npm run docs`\. -->\n)|(?=<!-- End\. -->)/,
  );
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

This page explains what each error means and how to fix it. Every error is JSON: \`{"error": code, "message": text}\`. Errors about fields also have
\`details: [{field, reason, allowed?}]\`. Every 503 and 429 has the header \`Retry-After\`.

| Status | Code | Meaning | What to do | Where |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** Variable with a default that depends on the machine → description of this default. */
const OF_MACHINE: Readonly<Record<string, string>> = { RENDER_THREADS: 'cores', MEMORY_MB: '`700`' };

function configurationDocument(): string {
  const rows = Object.entries(VARIABLES).map(([name, { default: fallback, meaning }]) => {
    const shown = OF_MACHINE[name] ?? (fallback === '' ? '–' : `\`${fallback}\``);
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  return `${GENERATED}
# Configuration

This page lists the environment variables and files that configure Blazon. If a value is wrong, the start fails with exit code 78 and names the variable
and the allowed values.

- [Variables](#variables)
- [Own configuration files](#own-configuration-files)

## Variables

| Variable | Default | Meaning |
|---|---|---|
${rows.join('\n')}

## Own configuration files

Some settings are in files instead of variables. Don't edit the files in \`config/\`, because an upgrade replaces them. Copy a file that you
want to change into your own folder, and set \`CONFIG_DIR\` to this folder. Your file replaces the whole original file. Use the same
\`CONFIG_DIR\` for the service and all commands. The service reads the files when it starts. If a file is wrong, the start fails with exit
code 78.

| File | Content |
|---|---|
| \`plans.json\` | Limits of the plans |
| \`counters.json\` | [Visitor counters](visitor-counter.md) |
| \`catalog.json\`, \`catalog-overrides.json\` | Sources and licenses of the import; corrections of the default drawings |
| \`brand-domains.json\`, \`search-names.json\`, \`kinds.json\` | Domains, names and kinds of brands |
| \`default-icons.json\` | Rejected [site icons](site-icons.md) |
| \`passwords.json\`, \`common-passwords.txt\` | Length and hashing of passwords; forbidden passwords |
`;
}
