// Guides: the pages of docs/ for users and operators, as HTML.
import { readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';

/** Folder with the documents. The build copies them to dist/docs/. */
const FOLDER = new URL('../../../../docs/', import.meta.url);

/** File names below docs/, by chapter. The order is the order of the table of contents. */
export const GUIDES = {
  Use: [
    'getting-started',
    'api',
    'in-a-page',
    'own-brands',
    'drawings',
    'site-icons',
    'clients',
    'accounts',
    'usage',
    'webhooks',
    'billing',
  ],
  More: ['visitor-counter', 'migrate-from', 'errors', 'versioning'],
  Operate: [
    'install',
    'configuration',
    'cluster',
    'catalog',
    'backup',
    'upgrade',
    'monitoring',
    'security',
    'performance',
  ],
} as const;
export const GUIDE_NAMES: readonly string[] = Object.values(GUIDES).flat();

export interface Guide {
  readonly title: string;
  readonly html: string;
}

/** Path of the guide's section that tells owners of sites how to have their icon removed. */
export const REMOVAL_PAGE = '/docs/guides/site-icons#if-you-own-a-site';

const EXAMPLE_ORIGIN = /http:\/\/localhost:3000|https:\/\/icons\.example(?![\w.])/g;
const EXAMPLE_CONTACT = '<mailto:operator@icons.example>';

/**
 * Returns a guide as HTML. `origin` is the address of this service, and `contact` the URI of its operator. They replace
 * the example addresses.
 */
export function readGuide(name: string, origin: string, contact: string | null = null): Guide {
  const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    .replaceAll(EXAMPLE_ORIGIN, origin)
    .replaceAll(EXAMPLE_CONTACT, () => (contact === null ? 'the operator has not published one' : `<${contact}>`));
  const [, title = name] = /^# (.*)$/m.exec(text) ?? [];
  return { title, html: markdown.parse(text, { async: false }) };
}

export function guideAddress(name: string): string {
  return `/docs/guides/${name}`;
}

const markdown = new Marked({
  renderer: {
    heading({ depth, tokens, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === undefined ? label : `<a href="${address}">${label}</a>`;
    },
    image: ({ href, text }) => `<img src="${guideAddress(href)}" alt="${text}" loading="lazy">`,
    table(token) {
      return `<div class="table" tabindex="0">${tableOf(token, (cell) => this.parser.parseInline(cell.tokens))}</div>\n`;
    },
  },
});

function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const row = (cells: readonly Tokens.TableCell[], name: 'td' | 'th') =>
    `<tr>${cells.map((cell) => `<${name}>${inline(cell)}</${name}>`).join('')}</tr>`;
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** Returns the heading's anchor in GitHub's format, so that links work both on GitHub and in this service. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the address of a linked file on this service, or undefined if the service does not serve the file. */
function addressOf(href: string): string | undefined {
  if (/^(?:https?:|mailto:|tel:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const name = file.replace(/\.md$/, '');
  if (!GUIDE_NAMES.includes(name)) return undefined;
  return guideAddress(name) + (anchor === undefined ? '' : `#${anchor}`);
}
