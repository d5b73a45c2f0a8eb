// Icons that a page declares in its head.
import { Parser } from 'htmlparser2';
import { outgoingUrl } from '../platform/outgoing/target.js';
import { candidateOf, loadableUrl, type CandidateKind, type IconCandidate } from './candidate.js';

export interface PageLinks {
  readonly icons: readonly IconCandidate[];
  /** URL of the web app manifest. */
  readonly manifest?: string;
}

/** Maximum number of declared icons that are read. Real pages have up to thirty. */
const MAX_ICONS = 50;
/** Kinds by `rel`, the more specific ones first. */
const KINDS: readonly (readonly [rel: string, kind: CandidateKind])[] = [
  ['mask-icon', 'mask-icon'],
  ['apple-touch-icon', 'apple-touch-icon'],
  ['apple-touch-icon-precomposed', 'apple-touch-icon'],
  ['fluid-icon', 'apple-touch-icon'],
  ['icon', 'icon'],
];

/** Reads the head of a page. `url` is the page's own URL. */
export function readPageLinks(html: string, url: string): PageLinks {
  const own = new URL(url);
  let base: URL | undefined;
  let manifest: string | undefined;
  let isOver = false;
  const icons: IconCandidate[] = [];

  function add(kind: CandidateKind, href: string | undefined, attributes: Attributes): void {
    const found = icons.length < MAX_ICONS ? loadableUrl(href ?? '', base ?? own) : undefined;
    if (found === undefined) return;
    const { type = '', sizes = '', media = '' } = attributes;
    icons.push(candidateOf({ url: found, kind, type, sizes, isSecondary: /dark/i.test(media) }));
  }

  function readLink(attributes: Attributes): void {
    const rels = (attributes.rel ?? '').toLowerCase().split(/\s+/);
    const kind = KINDS.find(([rel]) => rels.includes(rel))?.[1];
    if (kind !== undefined) add(kind, attributes.href, attributes);
    else if (rels.includes('manifest')) manifest ??= loadableUrl(attributes.href ?? '', base ?? own);
  }

  const parser = new Parser({
    onopentag(name, attributes: Attributes) {
      if (isOver) return;
      if (name === 'base' && attributes.href !== undefined) base ??= baseOf(attributes.href, own);
      else if (name === 'link') readLink(attributes);
      else if (name === 'meta' && attributes.name?.toLowerCase() === 'msapplication-tileimage')
        add('tile', attributes.content, {});
      else if (name === 'body') isOver = true;
    },
  });
  parser.end(html);
  return { icons, ...(manifest !== undefined && { manifest }) };
}

/**
 * Returns the URL of a `<base>` element. Returns the page's own URL if `href` is not a valid URL, or if its scheme is
 * `data:` or `javascript:` (HTML, section 4.2.3).
 */
function baseOf(href: string, own: URL): URL {
  const base = outgoingUrl(href, own);
  return base && base.protocol !== 'data:' && base.protocol !== 'javascript:' ? base : own;
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** Number of bytes at the start of a page in which it must declare its encoding (HTML, section 4.2.5.5). */
const PRESCANNED_BYTES = 1024;
const DECLARED = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;

/** Decodes a page as browsers do: by its byte order mark, then by its `Content-Type`, then by its own declaration. */
export function decodePage(bytes: Buffer, contentType = ''): string {
  const head = bytes.toString('latin1', 0, PRESCANNED_BYTES);
  const labels = [markOf(bytes), /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1], DECLARED.exec(head)?.[1]];
  for (const label of labels) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // No encoding has this label, so the next label is tried.
    }
  }
  return new TextDecoder().decode(bytes);
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb ? 'utf-8' : undefined;
}

/**
 * Number of bytes that are searched again with the next chunk, because the end of the head may be split between two
 * chunks.
 */
const OVERLAP = 8;

/**
 * Returns a function that receives the chunks of a page in order, and returns true when the head of the page is
 * complete.
 */
export function createHeadEnd(): (chunk: Uint8Array) => boolean {
  let rest = '';
  return (chunk) => {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    rest = text.slice(-OVERLAP);
    return /<\/head|<body/i.test(text);
  };
}
