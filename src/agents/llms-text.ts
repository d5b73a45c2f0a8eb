// /llms.txt (llmstxt.org): instructions for agents, generated from the routes.
import { z } from 'zod';
import { isMetered, type Route } from '../platform/http/route.js';
import { documentedPath, operationId } from '../platform/http/openapi/document.js';
import { INTRODUCTION, tagsOf } from '../platform/http/openapi/introduction.js';

interface Options {
  readonly routes: readonly Route[];
  /** Public URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Limits of each plan, as Markdown. */
  readonly limits: string;
}

/**
 * Chapters that an agent with a short context can skip. They are under the heading "Optional" of the llms.txt format.
 */
const OPTIONAL: readonly string[] = [
  'Drop-in addresses',
  'Iconify',
  'Billing',
  'Visitor counters',
  'Account',
  'Operation',
];
/** Maximum length of a list of allowed values. Longer lists are omitted, and agents find them in the reference. */
const MAX_ALLOWED_CHARACTERS = 44;

export function llmsText({ routes, origin, limits }: Options): string {
  const listed = routes.filter(({ hidden, tag }) => hidden !== true && tag !== undefined);
  const linesOf = (isWanted: (tag: string) => boolean) =>
    listed.filter(({ tag = '' }) => isWanted(tag)).map((route) => routeLine(route, origin));
  const chapters = tagsOf(limits)
    .filter(({ name }) => !OPTIONAL.includes(name))
    .map(({ name, description }) => `## ${name}\n\n${description}\n\n${linesOf((tag) => tag === name).join('\n')}`);
  return [
    `# Blazon\n\n> ${firstParagraph(INTRODUCTION)}`,
    INTRODUCTION.slice(INTRODUCTION.indexOf('\n\n') + 2),
    examples(origin),
    `- [HTML reference](${origin}/docs): the same content, with examples`,
    ...chapters,
    `## Optional\n\n${linesOf((tag) => OPTIONAL.includes(tag)).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n');
}

function firstParagraph(text: string): string {
  return (text.split('\n\n', 1)[0] ?? '').replaceAll('\n', ' ');
}

function examples(origin: string): string {
  const calls = [
    '/v1/search?q=gihtub',
    '/v1/brand?domain=stripe.com',
    '/v1/catalog/github',
    '/v1/svg/github?on=dark',
    '/v1/logo/stripe.com?size=128',
    '/v1/strip?icons=github,docker,figma',
    '/v1/favicon/github/favicon.zip',
  ];
  return ['```', ...calls.map((path) => `curl -H "X-API-Key: $KEY" "${origin}${path}"`), '```'].join('\n');
}

function routeLine(route: Route, origin: string): string {
  const path = documentedPath(route);
  const parameters = [...fieldTexts(route.query), ...fieldTexts(route.body)];
  const taken = parameters.length === 0 ? '' : ` Takes ${parameters.join(', ')}.`;
  const bucket = isMetered(route) && typeof route.bucket === 'string' ? ` Counts in \`${route.bucket}\`.` : '';
  return `- [${route.method} ${path}](${origin}/docs#${operationId(route)}): ${route.summary}.${taken}${bucket}`;
}

/** Returns for each field a text such as `size (8..2048)`: its name, and its allowed values if their list is short. */
function fieldTexts(schema: z.ZodObject | undefined): string[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const allowed = z.globalRegistry.get(field)?.allowed;
    const text = Array.isArray(allowed) ? allowed.join('|') : typeof allowed === 'string' ? allowed : '';
    return text === '' || text.length > MAX_ALLOWED_CHARACTERS ? `\`${name}\`` : `\`${name}\` (${text})`;
  });
}
