// Answers with the icon of a website, for a domain without a brand.
import type { Credential } from '../accounts/credential.js';
import type { AskedHost } from '../brands/brands.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { MissingName } from '../platform/not-found.js';
import type { ConditionalReply, HeaderFields, Reply } from '../platform/http/response/reply.js';
import { SVG_POLICY } from '../platform/http/response/reply.js';
import type { PictureRequest } from './picture-request.js';
import type { Pictures } from './pictures.js';
import { pictureAnswer } from './pictures.routes.js';
import type { SiteIcon, SiteIcons, StoredSiteIcon } from './site-icons.js';

/** Cache lifetime of a fallback while the icon is not fetched yet. */
const UNTIL_FETCHED: HeaderFields = { 'Cache-Control': 'private, max-age=60' };
const UNTIL_FETCHED_PUBLIC: HeaderFields = { 'Cache-Control': 'public, max-age=60' };
/** Content security policy that allows the bitmaps in the SVG. The bitmaps are data URLs. */
const WITH_BITMAP: HeaderFields = {
  'Content-Security-Policy': `img-src data:; ${SVG_POLICY['Content-Security-Policy']}`,
};

/** Returns the answer with a found icon. Returns undefined if the icon is unusable, for example too small. */
export type AnswerIcon = (icon: SiteIcon) => ConditionalReply | undefined;

export interface SiteRequest {
  readonly asked: AskedHost;
  /** Maximum wait for the icon, s. */
  readonly wait: number;
  readonly credential: Pick<Credential, 'allowingOrigins'>;
  readonly missing: readonly MissingName[];
  readonly icon: AnswerIcon;
  /** Returns the answer for the case that there is no usable icon. May throw AppError. */
  readonly next: () => Reply | ConditionalReply;
}

/** Returns a function that answers with the icon as a picture. */
export function siteIconPicture(catalog: AccountCatalog, request: PictureRequest, pictures: Pictures): AnswerIcon {
  return (icon) => {
    const plan = pictures.planSiteIcon(catalog, icon, request);
    if (!plan) return undefined;
    const isBitmap = icon.px !== null && request.format === 'svg';
    return withHeaders(pictureAnswer(plan, request, pictures), {
      'X-Blazon-Source': icon.source,
      ...(isBitmap && WITH_BITMAP),
    });
  };
}

/**
 * Answers with the stored icon. An unknown icon is fetched only in `make`, which runs after the limits of the request
 * are checked. The `ETag` of this icon is therefore unknown before `make`.
 */
export async function siteAnswer(request: SiteRequest, siteIcons: SiteIcons): Promise<Reply | ConditionalReply> {
  const { asked, wait, missing, credential, next } = request;
  const iconOf = (found: StoredSiteIcon): ConditionalReply | undefined => {
    const answer = typeof found === 'string' ? undefined : request.icon(found);
    return answer && { ...answer, missing };
  };
  const stored = await siteIcons.stored(asked);
  if (stored !== 'unknown') return iconOf(stored) ?? next();
  return {
    kind: 'prepared',
    headers: {},
    publicHeaders: {},
    async make(client) {
      const found = await siteIcons.fetch(asked, { accountId: client.fairnessKey, waitMs: wait * 1000 });
      const answer = iconOf(found) ?? (found === 'unknown' ? untilFetched(next()) : next());
      if (answer.kind === 'reply') return answer;
      const made = await answer.make(client);
      const isPublic = credential.allowingOrigins !== undefined;
      const head = (isPublic ? answer.publicHeaders : undefined) ?? answer.headers;
      return { ...made, headers: [head, ...made.headers], missing: made.missing ?? answer.missing };
    },
  };
}

function untilFetched(answer: Reply | ConditionalReply): Reply | ConditionalReply {
  if (answer.kind === 'reply') return answer;
  const { headers, publicHeaders } = answer;
  return {
    ...answer,
    headers: { ...headers, ...UNTIL_FETCHED },
    ...(publicHeaders && { publicHeaders: { ...publicHeaders, ...UNTIL_FETCHED_PUBLIC } }),
  };
}

function withHeaders(answer: ConditionalReply, fields: HeaderFields): ConditionalReply {
  const { headers, publicHeaders } = answer;
  return {
    ...answer,
    headers: { ...headers, ...fields },
    ...(publicHeaders && { publicHeaders: { ...publicHeaders, ...fields } }),
  };
}

/** An answer that depends on the icon of a website. It is made for each request and never cached by URL. */
export interface AskedSite {
  readonly kind: 'site';
  readonly ask: (credential: SiteRequest['credential']) => Promise<Reply | ConditionalReply>;
}

/** Returns the answer. Asks for the icon of a website only if the answer depends on it. */
export function askedAnswer(
  answer: MaybeSite | Promise<MaybeSite>,
  credential: SiteRequest['credential'],
): Reply | ConditionalReply | Promise<Reply | ConditionalReply> {
  if (answer instanceof Promise) return answer.then((known) => askedAnswer(known, credential));
  return answer.kind === 'site' ? answer.ask(credential) : answer;
}

export type MaybeSite = Reply | ConditionalReply | AskedSite;
