// Search routes at URLs that imitate other services. Results are brands that have a domain, in the format of the
// imitated service.
import { z } from 'zod';
import { strongEtag } from '../platform/web/strong-etag.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { CODED_HEADERS, cacheControl, etag as etagHeader } from '../platform/http/openapi/headers.js';
import { etagHeaders } from '../platform/http/response/conditional.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { jsonText, type ConditionalReply, type HeaderFields } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import type { ResponseDoc } from '../platform/http/route.js';
import { PUBLIC_CACHE } from '../accounts/key-in-path.routes.js';

export interface FoundBrand {
  readonly slug: string;
  readonly title: string;
  readonly domain: string;
}

/**
 * Each search counts as this many requests against the limit per second. A page of 20 results of `GET /v1/search`
 * counts the same.
 */
export const SEARCH_COST = 3;
/** Number of results to search for. Answers have fewer results, because brands without a domain are omitted. */
const LIMIT = 20;
const MAX_QUERY_CHARACTERS = 100;
const HEADERS = { ETag: etagHeader, 'Cache-Control': cacheControl };

export function searchDocs(item: z.ZodType): Readonly<Record<number, ResponseDoc>> {
  return {
    200: { description: 'Brands, best first', schema: z.array(item), headers: { ...HEADERS, ...CODED_HEADERS } },
    304: { description: 'Not modified; not counted', headers: HEADERS },
  };
}

/**
 * Answers with a list of brands. `present` converts a brand to the format of the imitated service. Each format needs
 * its own `kind`, so that answers in different formats have different `ETag`s.
 */
export function brandSuggestions(
  { catalog, q, atMost, kind, present }: SuggestionOptions,
  { search, catalogVersion, taggedCodings }: Services,
): ConditionalReply {
  const text = [...q.trim()].slice(0, MAX_QUERY_CHARACTERS).join('');
  const tag = strongEtag(JSON.stringify([catalogVersion(), catalog.ownBrandPageIds, kind, text]));
  const reply: ConditionalReply = {
    kind: 'prepared',
    etag: tag,
    headers: { ...lifetimeOf(catalog), ...etagHeaders(tag) },
    async make({ fairnessKey }) {
      const outcome = text === '' ? undefined : await search.search({ q: text, limit: LIMIT }, fairnessKey, catalog);
      const results = outcome?.kind === 'page' ? outcome.page.results : [];
      const found = results.flatMap(({ slug, title, domain }) => (domain === null ? [] : [{ slug, title, domain }]));
      return jsonText(JSON.stringify(found.slice(0, atMost).map(present)));
    },
  };
  return negotiated(reply, taggedCodings(tag));
}

/**
 * Returns the cache headers. If the account has own brands, clients must revalidate before each use, because changes of
 * own brands must be visible immediately.
 */
export function lifetimeOf({ ownBrandPageIds: pages }: Pick<AccountCatalog, 'ownBrandPageIds'>): HeaderFields {
  return pages === '' ? PUBLIC_CACHE : { 'Cache-Control': 'public, no-cache' };
}

interface SuggestionOptions {
  readonly catalog: AccountCatalog;
  readonly q: string;
  readonly atMost: number;
  /**
   * Name of the answer's format. The `ETag` contains it, because answers in other formats may contain the same brands.
   */
  readonly kind: string;
  readonly present: (brand: FoundBrand) => unknown;
}
