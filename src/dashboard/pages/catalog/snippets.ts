// Code to copy for a picture: code that fetches it, and code that shows it on a page.
import { queryText } from '../../data/call.js';
import type { CodeByLanguage } from '../../components/code-tabs.js';
import { written } from '../../docs/samples.js';
import {
  attribute,
  imageHtml,
  NO_KEY,
  pictureHtml,
  pictureMarkdown,
  readable,
  sizeAttributes,
  type PagePicture,
} from '../../picture-code.js';
import { settings } from '../../settings.js';
import { typedQuery, type Format } from './parameters.js';

interface Picture {
  readonly slug: string;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export interface SnippetOptions extends Picture {
  readonly title: string;
  /** Domain of the brand; undefined if no domain is known. */
  readonly domain: string | undefined;
  /** Undefined for visitors, and until the account's keys are loaded. */
  readonly publishableKey: string | undefined;
}

const SECRET = 'blz_…';

/** Hints shown below a snippet, by the snippet's language: facts that the snippet itself doesn't contain. */
export const HINTS: Readonly<Record<string, string>> = {
  Markdown: 'GitHub shows only the picture for the reader’s theme. Other sites show both pictures, so use HTML there.',
  shadcn: 'Store your API key as BLAZON_API_KEY in the environment or in .env.local.',
  Client: 'The package blazon contains the typed client.',
  Element: 'The element needs a bundler that finds the package blazon.',
};

export function snippets(options: SnippetOptions): CodeByLanguage {
  const { slug, format } = options;
  const plain = addressOf(options, undefined);
  return {
    HTML: html(options),
    React: reactCode(options),
    Vue: `<template>\n${indented(html(options), 2)}\n</template>`,
    Markdown: pictureMarkdown(pagePicture(options)),
    Iconify: iconify(options),
    shadcn: shadcn(options),
    Client: client(options),
    Element: element(options),
    curl: `curl '${plain}' \\\n  -H 'X-API-Key: ${SECRET}' \\\n  -o '${slug}.${format}'`,
    fetch: [
      `const response = await fetch(`,
      `  '${plain}',`,
      `  { headers: { 'X-API-Key': process.env.BLAZON_API_KEY } },`,
      `);`,
      `const picture = await response.${format === 'svg' ? 'text' : 'arrayBuffer'}();`,
    ].join('\n'),
  };
}

/** Returns the URL of the picture, with the key if there is one. */
export function addressOf({ slug, format, query }: Picture, publishableKey: string | undefined): string {
  return `${settings.origin}/v1/${format}/${slug}${queryText({ ...query, key: publishableKey })}`;
}

/**
 * Returns the picture's URLs for light and dark pages, or one URL for both if the picture doesn't adapt to its page.
 */
function grounds(options: SnippetOptions): { readonly light: string; readonly dark: string | undefined } {
  const { query, publishableKey = NO_KEY } = options;
  const address = (on: string | undefined) =>
    readable(addressOf({ ...options, query: { ...query, on } }, publishableKey));
  if (query.on === undefined) return { light: address(undefined), dark: undefined };
  return { light: address('light'), dark: address('dark') };
}

/** Returns an `<img>` with the URL of the shown picture. */
export function imageCode({ title, publishableKey = NO_KEY, ...picture }: Omit<SnippetOptions, 'domain'>): string {
  return imageHtml({ light: readable(addressOf(picture, publishableKey)), alt: title, ...sizeOf(picture.query) });
}

export function reactCode(options: SnippetOptions): string {
  return `export function ${componentName(options.slug)}() {\n  return (\n${indented(jsx(options), 4)}\n  );\n}`;
}

function html(options: SnippetOptions): string {
  return pictureHtml(pagePicture(options));
}

function jsx(options: SnippetOptions): string {
  return html(options).replace(' srcset=', ' srcSet=');
}

function pagePicture({ query, title, ...options }: SnippetOptions): PagePicture {
  return { ...grounds({ query, title, ...options }), alt: title, ...sizeOf(query) };
}

function indented(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces));
}

/** Returns a component name: `visual-studio-code` → `VisualStudioCodeLogo`. */
function componentName(slug: string): string {
  const words = slug.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(name) ? `Logo${name}` : `${name}Logo`;
}

function sizeOf({ size, width = size, height = size }: SnippetOptions['query']) {
  return { width, height };
}

function shadcn({ slug, query: { variant = 'default' } }: SnippetOptions) {
  const registry = { url: `${settings.origin}/r/{name}.json`, headers: { 'X-API-Key': '${BLAZON_API_KEY}' } };
  return {
    'components.json': JSON.stringify({ registries: { '@blazon': registry } }, null, 2),
    command: `npx shadcn@latest add @blazon/${variant === 'default' ? slug : `${slug}-${variant}`}`,
  };
}

/** Returns code that uses `blazon/client`. The code makes URLs for web pages, and sends a request from a server. */
function client({ slug, format, query, domain, publishableKey = NO_KEY }: SnippetOptions): string {
  const parameters = typedQuery(format, query);
  const [service, key] = [written(settings.origin), publishableKey];
  const params = { path: { slug }, ...(Object.keys(parameters).length > 0 && { query: parameters }) };
  const addresses = [
    `const address = pictureUrl(${service}, '${format}', '${slug}', ${written({ ...parameters, key })});`,
    ...(domain === undefined ? [] : [`const same = logoUrl(${service}, '${domain}', ${written({ format, key })});`]),
  ];
  return [
    `import { Blazon, ${domain === undefined ? '' : 'logoUrl, '}pictureUrl } from 'blazon/client';`,
    '',
    ...addresses,
    '',
    `const blazon = new Blazon({ url: ${service}, key: process.env.BLAZON_API_KEY });`,
    'const picture = await blazon.data(',
    `  blazon.api.GET('/v1/${format}/{slug}', {`,
    `    params: ${written(params)},`,
    `    parseAs: '${format === 'svg' ? 'text' : 'arrayBuffer'}',`,
    '  }),',
    ');',
  ].join('\n');
}

function element({ slug, title, query: { size, variant }, publishableKey = NO_KEY }: SnippetOptions): string {
  const given = Object.entries({ slug, size, variant, alt: title }).filter(([, value]) => value !== undefined);
  const attributes = given.map(([name, value = '']) => ` ${name}="${attribute(value)}"`).join('');
  return [
    '<script type="module">',
    "  import { defineLogoElement } from 'blazon/client';",
    `  defineLogoElement(${written({ url: settings.origin, key: publishableKey })});`,
    '</script>',
    `<blazon-logo${attributes}></blazon-logo>`,
  ].join('\n');
}

/** Uses the chosen size. Without a chosen size, the icon is as large as the text. */
function iconify({ slug, query, publishableKey = NO_KEY }: SnippetOptions): string {
  const { variant = 'default' } = query;
  const prefix = variant === 'default' ? 'blazon' : `blazon-${iconName(variant)}`;
  return [
    '<script>',
    `  IconifyProviders = { '': { resources: ['${settings.origin}/iconify/${publishableKey}'] } };`,
    '</script>',
    '<!-- Copy iconify-icon/dist/iconify-icon.min.js from npm to your server. -->',
    '<script src="/iconify-icon.min.js"></script>',
    `<iconify-icon icon="${prefix}:${iconName(slug)}"${sizeAttributes(sizeOf(query))}></iconify-icon>`,
  ].join('\n');
}

/** Returns the icon name that the service's Iconify routes use: `node.js` → `node-dot-js`. */
function iconName(text: string): string {
  return text
    .replaceAll('.', '-dot-')
    .replaceAll('_', '-underscore-')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
