// Code to copy for a picture: to fetch it, and to show it in a page.
import { queryText } from '../../data/call.js';
import { settings } from '../../settings.js';
import { onParameter } from './on-parameter.js';
import type { Format } from './parameters.js';

export interface SnippetOptions {
  readonly slug: string;
  readonly title: string;
  /** The brand's color. */
  readonly hex: string | null;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Undefined: not there yet. */
  readonly publishableKey: string | undefined;
}

const NO_KEY = 'blzp_…';
const SECRET = 'blz_…';

/** Language → code. */
export function snippets(options: SnippetOptions): Readonly<Record<string, string>> {
  const { slug, title, hex, format, query } = options;
  const forTheme = (theme: 'light' | 'dark') =>
    attribute(pageUrl({ ...options, query: { ...query, on: onParameter(theme, hex) } }));
  const plain = settings.origin + pathOf(options);
  const alt = attribute(title).replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const sizes = sizeAttributes(query);
  return {
    curl: `curl '${plain}' \\\n  -H 'X-API-Key: ${SECRET}' \\\n  -o '${slug}.${format}'`,
    '<img>': `<img src="${attribute(pageUrl(options))}"${sizes} alt="${alt}">`,
    '<picture>': [
      '<picture>',
      `  <source media="(prefers-color-scheme: dark)" srcset="${forTheme('dark')}">`,
      `  <img src="${forTheme('light')}"${sizes} alt="${alt}">`,
      '</picture>',
    ].join('\n'),
    Iconify: iconify(options),
    fetch: [
      `const response = await fetch(`,
      `  '${plain}',`,
      `  { headers: { 'X-API-Key': process.env.BLAZON_API_KEY } },`,
      `);`,
      `const picture = await response.${format === 'svg' ? 'text' : 'arrayBuffer'}();`,
    ].join('\n'),
    Markdown: `![${title.replaceAll(/[[\]\\]/g, (sign) => `\\${sign}`)}](${pageUrl(options)})`,
  };
}

/** Without the origin. */
export function pathOf({ slug, format, query }: Pick<SnippetOptions, 'slug' | 'format' | 'query'>): string {
  return `/v1/${format}/${slug}${queryText(query)}`;
}

function pageUrl(options: SnippetOptions): string {
  const { publishableKey = NO_KEY } = options;
  const path = pathOf(options);
  return `${settings.origin}${path}${path.includes('?') ? '&' : '?'}key=${publishableKey}`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;');
}

function sizeAttributes({ size, width = size, height = size }: SnippetOptions['query']): string {
  const given = Object.entries({ width, height }).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${value ?? ''}"`).join('');
}

/** Sizes as they are chosen; without one, the icon is as large as the text. */
function iconify({ slug, query, publishableKey = NO_KEY }: SnippetOptions): string {
  const { variant = 'default' } = query;
  const prefix = variant === 'default' ? 'blazon' : `blazon-${iconName(variant)}`;
  return [
    '<script>',
    `  IconifyProviders = { '': { resources: ['${settings.origin}/iconify/${publishableKey}'] } };`,
    '</script>',
    '<!-- From npm: iconify-icon/dist/iconify-icon.min.js, served by you. -->',
    '<script src="/iconify-icon.min.js"></script>',
    `<iconify-icon icon="${prefix}:${iconName(slug)}"${sizeAttributes(query)}></iconify-icon>`,
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
