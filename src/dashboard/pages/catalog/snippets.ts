// Code to copy for a picture: to fetch it, and to show it in a page.
import { queryText } from '../../data/call.js';
import { settings } from '../../settings.js';
import type { Format } from './parameters.js';

interface Picture {
  readonly slug: string;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export interface SnippetOptions extends Picture {
  readonly title: string;
  /** Undefined: not there yet. */
  readonly publishableKey: string | undefined;
}

const NO_KEY = 'blzp_…';
const SECRET = 'blz_…';
/** With one of these, a picture is the same whatever page it stands on. */
const OWN_GROUND = ['on', 'color', 'background'];

/** Language → code. */
export function snippets(options: SnippetOptions): Readonly<Record<string, string>> {
  const { slug, format } = options;
  const plain = addressOf(options, undefined);
  return {
    HTML: html(options),
    React: `export function ${componentName(slug)}() {\n  return (\n${indented(jsx(options), 4)}\n  );\n}`,
    Vue: `<template>\n${indented(html(options), 2)}\n</template>`,
    Markdown: markdown(options),
    Iconify: iconify(options),
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

/** Address of the picture, with the key where there is one. */
export function addressOf({ slug, format, query }: Picture, publishableKey: string | undefined): string {
  return `${settings.origin}/v1/${format}/${slug}${queryText({ ...query, key: publishableKey })}`;
}

/** Addresses for pages: one for each ground, or one alone that is for both. */
function grounds(options: SnippetOptions): { readonly light: string; readonly dark: string | undefined } {
  const { query, publishableKey = NO_KEY } = options;
  // The ellipsis stays readable.
  const address = (on: string | undefined) =>
    addressOf({ ...options, query: { ...query, on } }, publishableKey).replace('%E2%80%A6', '…');
  if (OWN_GROUND.some((name) => query[name] !== undefined)) return { light: address(query.on), dark: undefined };
  return { light: address('light'), dark: address('dark') };
}

function html(options: SnippetOptions): string {
  const { light, dark } = grounds(options);
  const { title, query } = options;
  const image = `<img src="${attribute(light)}"${sizeAttributes(query)} alt="${attribute(title)}" />`;
  if (dark === undefined) return image;
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${attribute(dark)}" />`,
    `  ${image}`,
    '</picture>',
  ].join('\n');
}

function jsx(options: SnippetOptions): string {
  return html(options).replace(' srcset=', ' srcSet=');
}

/** GitHub shows the one of the two that its page is for. */
function markdown(options: SnippetOptions): string {
  const { light, dark } = grounds(options);
  const picture = (address: string) => `![${options.title.replaceAll(/[[\]\\]/g, (sign) => `\\${sign}`)}](${address})`;
  if (dark === undefined) return picture(light);
  return [picture(`${light}#gh-light-mode-only`), picture(`${dark}#gh-dark-mode-only`)].join('\n');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function indented(text: string, spaces: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces));
}

/** `visual-studio-code` → `VisualStudioCodeLogo`. */
function componentName(slug: string): string {
  const words = slug.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(name) ? `Logo${name}` : `${name}Logo`;
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
