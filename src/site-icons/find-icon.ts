// Finds the best icon of a site, among the icons that its page and its manifest declare, and the icons at well-known
// paths.
import type { AccountId } from '../accounts/account.js';
import type { Outgoing, OutgoingFailure, OutgoingResponse } from '../platform/outgoing/outgoing.js';
import { MAX_URL_LENGTH } from '../platform/outgoing/target.js';
import { SECOND_MS } from '../platform/time.js';
import { candidateOf, compareSides, isDataUrl, ranked, sideOf, STORED_SIDE, type IconCandidate } from './candidate.js';
import { drawingOfIcon, type DrawingParts, type IconDrawing } from './icon-drawing.js';
import { createHeadEnd, decodePage, readPageLinks, type PageLinks } from './page-links.js';
import { readManifest } from './web-manifest.js';

/** URL of an icon, and the values with which a later request asks whether the icon has changed. */
export interface IconSource {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface FoundIcon extends IconDrawing {
  readonly source: IconSource;
}

export type FindOutcome =
  | { readonly kind: 'found'; readonly icon: FoundIcon }
  /** The known icon has not changed. */
  | { readonly kind: 'unchanged' }
  /** The site has no icon that can be used. */
  | { readonly kind: 'none' }
  /** The site did not respond, or requests to it are not allowed. */
  | { readonly kind: 'failed'; readonly failure: OutgoingFailure };

export interface FindRequest {
  readonly host: string;
  /** Account whose share of the sanitizer's queue is used. */
  readonly accountId: AccountId;
  readonly known?: IconSource | undefined;
  readonly signal: AbortSignal;
}

/** Time limit of one search in ms. */
const TOTAL_MS = 5 * SECOND_MS;
const MAX_REDIRECTS = 3;
const MAX_PAGE_BYTES = 512 * 1024;
const MAX_ICON_BYTES = 1024 * 1024;
/** Maximum number of declared icons that are requested per page. Well-known paths are requested in addition. */
const MAX_DECLARED = 5;
/** Maximum number of icons that are requested in one search. */
const MAX_ICONS = 10;
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ICON_ACCEPT = 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8';

export type FindIcon = (request: FindRequest) => Promise<FindOutcome>;

interface FinderOptions extends DrawingParts {
  /**
   * Returns the client for requests about this host. The client connects only to public addresses. For a host in
   * SITE_ICON_ORIGINS, the client also connects to all origins in that list.
   */
  readonly outgoingFor: (host: string) => Pick<Outgoing, 'request'>;
  /**
   * Returns true for a default icon of a server or framework, which the owner of a site has not replaced by the site's
   * own icon.
   */
  readonly isDefault: (bytes: Uint8Array) => boolean;
}

export function createIconFinder({ outgoingFor, isDefault, ...parts }: FinderOptions): FindIcon {
  return async ({ host, known, accountId, signal }) => {
    const draw = async (bytes: Buffer) => (isDefault(bytes) ? undefined : drawingOfIcon(bytes, accountId, parts));
    const visit = createVisit(outgoingFor(host), signal);
    if (known && (await isUnchanged(visit, known))) return { kind: 'unchanged' };
    for (const url of [`https://${host}/`, `https://www.${host}/`, `http://${host}/`]) {
      const page = await visit.page(url);
      if (!page) continue;
      const icon = await bestIcon(visit, page, draw);
      if (icon) return { kind: 'found', icon };
      if (isOk(page.status)) return { kind: 'none' };
    }
    const failure = visit.failure();
    return failure === undefined ? { kind: 'none' } : { kind: 'failed', failure };
  };
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

type Visit = ReturnType<typeof createVisit>;

/** Requests to one site, within the limits of a search. */
function createVisit(outgoing: Pick<Outgoing, 'request'>, signal: AbortSignal) {
  const endMs = performance.now() + TOTAL_MS;
  let icons = 0;
  let answers = 0;
  let failure: OutgoingFailure | undefined;

  async function get(
    url: string,
    headers: Readonly<Record<string, string>>,
    limits: Pick<Parameters<Outgoing['request']>[0], 'maxBytes' | 'excess' | 'isEnough'>,
  ): Promise<OutgoingResponse | undefined> {
    const totalMs = Math.ceil(endMs - performance.now());
    if (totalMs <= 0) return undefined;
    const outcome = await outgoing.request({
      ...{ url, headers, method: 'GET', maxRedirects: MAX_REDIRECTS, totalMs, signal },
      ...limits,
    });
    if (outcome.ok) answers++;
    else failure ??= outcome.failure;
    return outcome.ok ? outcome : undefined;
  }

  return {
    page: (url: string) =>
      get(url, { accept: PAGE_ACCEPT }, { maxBytes: MAX_PAGE_BYTES, excess: 'cut', isEnough: createHeadEnd() }),
    manifest: (url: string) => get(url, { accept: '*/*' }, { maxBytes: MAX_PAGE_BYTES, excess: 'reject' }),
    /**
     * Requests an icon and returns the response. Returns undefined if there is no response, or if `MAX_ICONS` icons
     * were already requested.
     */
    async icon(url: string, conditions: Readonly<Record<string, string>> = {}) {
      if (++icons > MAX_ICONS) return undefined;
      return get(url, { accept: ICON_ACCEPT, ...conditions }, { maxBytes: MAX_ICON_BYTES, excess: 'reject' });
    },
    isOver: () => signal.aborted || performance.now() >= endMs,
    /** Returns the first failure if no request got a response. Otherwise returns undefined. */
    failure: () => (answers > 0 ? undefined : failure),
  };
}

async function isUnchanged(visit: Visit, { url, etag, lastModified }: IconSource): Promise<boolean> {
  const conditions = {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  if (Object.keys(conditions).length === 0) return false;
  return (await visit.icon(url, conditions))?.status === 304;
}

async function bestIcon(
  visit: Visit,
  page: OutgoingResponse,
  draw: (bytes: Buffer) => Promise<IconDrawing | undefined>,
): Promise<FoundIcon | undefined> {
  let best: FoundIcon | undefined;
  let declared = 0;
  for (const candidate of ranked(await candidatesOf(visit, page), STORED_SIDE)) {
    if (visit.isOver()) break;
    if (best && !couldBeBetter(candidate, best)) continue;
    if (candidate.kind !== 'guess' && ++declared > MAX_DECLARED) continue;
    const answer = isDataUrl(candidate.url) ? contained(candidate.url, page.url) : await visit.icon(candidate.url);
    const icon = await iconOf(answer, draw);
    if (!icon) continue;
    if (icon.px === null) return icon;
    if (!best || compareSides(icon.px, best.px ?? 0, STORED_SIDE) < 0) best = icon;
  }
  return best;
}

/**
 * Returns true if the candidate may be better than the found icon, according to its declared size. That size may be
 * wrong.
 */
function couldBeBetter(candidate: IconCandidate, { px }: FoundIcon): boolean {
  if (candidate.isSecondary || candidate.kind === 'mask-icon') return false;
  return candidate.isSvg || compareSides(sideOf(candidate), px ?? 0, STORED_SIDE) < 0;
}

/**
 * Ignores icons that an error page declares. Many error pages come from a firewall and declare the firewall's icons.
 */
async function candidatesOf(visit: Visit, page: OutgoingResponse): Promise<readonly IconCandidate[]> {
  const { icons, manifest }: PageLinks = isOk(page.status) && isHtml(page) ? linksOf(page) : { icons: [] };
  const all = [...icons, ...guessed(page.url)];
  const needsMore = !icons.some((icon) => icon.isSvg || (sideOf(icon) >= STORED_SIDE && !icon.isSecondary));
  const answer = manifest !== undefined && needsMore ? await visit.manifest(manifest) : undefined;
  return answer && isOk(answer.status) ? [...all, ...readManifest(answer.body.toString(), answer.url)] : all;
}

function linksOf({ body, headers, url }: OutgoingResponse): PageLinks {
  return readPageLinks(decodePage(body, headers['content-type']), url);
}

function isHtml({ headers }: OutgoingResponse): boolean {
  return /html|^$/i.test(headers['content-type'] ?? '');
}

/** Well-known paths of icons, with the usual sizes of these icons. */
function guessed(page: string): readonly IconCandidate[] {
  const guess = (path: string, sizes: string): IconCandidate =>
    candidateOf({ url: new URL(path, page).href, kind: 'guess', type: '', sizes });
  return [guess('/favicon.ico', '48x48'), guess('/apple-touch-icon.png', '180x180')];
}

/**
 * Returns the content of a `data:` URL (RFC 2397) as a response with the URL of the page. `fetch` is not used, because
 * undici 6 parses a header with many spaces in quadratic time.
 */
function contained(url: string, page: string): OutgoingResponse | undefined {
  const [header, type = ''] = /^data:([^,]{0,200}),/i.exec(url) ?? [];
  if (header === undefined) return undefined;
  const [text = ''] = url.slice(header.length).split('#', 1);
  const bytes = Buffer.from(text).toString('latin1');
  const unescaped = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const body = Buffer.from(unescaped, /; *base64$/i.test(type.trim()) ? 'base64' : 'latin1');
  return { ok: true, status: 200, headers: { 'content-type': type }, url: page, body };
}

async function iconOf(
  answer: OutgoingResponse | undefined,
  draw: (bytes: Buffer) => Promise<IconDrawing | undefined>,
): Promise<FoundIcon | undefined> {
  // Rejects HTML, because many sites answer unknown paths with their start page.
  if (!answer || !isOk(answer.status) || answer.body.length === 0) return undefined;
  if (/html/i.test(answer.headers['content-type'] ?? '') || answer.url.length > MAX_URL_LENGTH) return undefined;
  const drawing = await draw(answer.body);
  const { etag, 'last-modified': lastModified } = answer.headers;
  return drawing && { ...drawing, source: { url: answer.url, etag, lastModified } };
}
