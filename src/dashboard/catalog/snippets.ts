// Code to copy for a picture: what fetches it, and what shows it.
import { queryText } from '../data/call.js';
import { settings } from '../settings.js';
import { groundFor } from './ground.js';
import type { Format } from './parameters.js';

export interface SnippetOf {
  readonly slug: string;
  readonly title: string;
  /** The brand's color. */
  readonly hex: string | null;
  readonly format: Format;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined: not there yet. */
  readonly publishableKey: string | undefined;
}

const NO_KEY = 'blzp_…';
const SECRET = 'blz_…';

/** Language → code. */
export function snippets(of: SnippetOf): Readonly<Record<string, string>> {
  const { slug, title, format } = of;
  const plain = `${settings.origin}${pathOf(of)}`;
  const alt = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return {
    curl: `curl '${plain}' \\\n  -H 'X-API-Key: ${SECRET}' \\\n  -o '${slug}.${format}'`,
    '<img>': `<img src="${attribute(pageUrl(of))}"${sizeAttributes(of)} alt="${alt}">`,
    '<picture>': [
      '<picture>',
      `  <source media="(prefers-color-scheme: dark)" srcset="${attribute(pageUrl(forBackground(of, 'dark')))}">`,
      `  <img src="${attribute(pageUrl(forBackground(of, 'light')))}"${sizeAttributes(of)} alt="${alt}">`,
      '</picture>',
    ].join('\n'),
    Iconify: iconify(of),
    fetch: [
      `const response = await fetch(`,
      `  '${plain}',`,
      `  { headers: { 'X-API-Key': process.env.BLAZON_API_KEY } },`,
      `);`,
      `const picture = await response.${format === 'svg' ? 'text' : 'arrayBuffer'}();`,
    ].join('\n'),
    Markdown: `![${title.replaceAll(/[[\]\\]/g, (sign) => `\\${sign}`)}](${pageUrl(of)})`,
  };
}

/** Without the origin. */
export function pathOf({ slug, format, query }: Pick<SnippetOf, 'slug' | 'format' | 'query'>): string {
  return `/v1/${format}/${slug}${queryText(query)}`;
}

function pageUrl(of: SnippetOf): string {
  const { publishableKey = NO_KEY } = of;
  const path = pathOf(of);
  return `${settings.origin}${path}${path.includes('?') ? '&' : '?'}key=${publishableKey}`;
}

function forBackground(of: SnippetOf, theme: 'light' | 'dark'): SnippetOf {
  const query = Object.fromEntries(Object.entries(of.query).filter(([name]) => name !== 'on'));
  const on = groundFor(theme, of.hex);
  return { ...of, query: on === undefined ? query : { ...query, on } };
}

function attribute(url: string): string {
  return url.replaceAll('&', '&amp;');
}

function sizeAttributes({ query: { size, width = size, height = size } }: SnippetOf): string {
  return [
    ['width', width],
    ['height', height],
  ]
    .map(([name, value]) => (value === undefined ? '' : ` ${name ?? ''}="${value}"`))
    .join('');
}

/** Sizes as they are chosen; without one, the icon is as large as the text. */
function iconify(of: SnippetOf): string {
  const { slug, query, publishableKey = NO_KEY } = of;
  const { variant = 'default' } = query;
  const prefix = variant === 'default' ? 'blazon' : `blazon-${iconName(variant)}`;
  return [
    '<script>',
    `  IconifyProviders = { '': { resources: ['${settings.origin}/iconify/${publishableKey}'] } };`,
    '</script>',
    '<!-- From npm: iconify-icon/dist/iconify-icon.min.js, served by you. -->',
    '<script src="/iconify-icon.min.js"></script>',
    `<iconify-icon icon="${prefix}:${iconName(slug)}"${sizeAttributes(of)}></iconify-icon>`,
  ].join('\n');
}

/** As the service spells names for the Iconify protocol, which has no other characters. */
function iconName(text: string): string {
  return text
    .replaceAll('.', '-dot-')
    .replaceAll('_', '-underscore-')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
