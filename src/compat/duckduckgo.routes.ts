// URLs of icons.duckduckgo.com, which return ICO files.
import { z } from 'zod';
import { GLOBE } from '../pictures/globe.js';
import { ICO_SIDES } from '../pictures/favicon.js';
import { icoFile } from '../pictures/ico.js';
import { pictureRequest } from '../pictures/picture-request.js';
import { querySchema } from '../platform/web/query-rules.js';
import { PICTURE_POLICY, type ConditionalReply } from '../platform/http/response/reply.js';
import type { ReadableEntry } from '../pictures/favicons.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { pictureFields, pictureReply } from '../pictures/pictures.routes.js';
import { siteAnswer, type AnswerIcon } from '../pictures/site-icon-answers.routes.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { COMPAT, missingOf, notFoundLifetime, PICTURE_ERRORS, pictureDocs, siteFacts } from './answer.routes.js';
import { siteOf } from './parameters.routes.js';

const ICO = { 'Content-Type': 'image/x-icon' };
/** A request counts as this many requests against the limit per second, as for `GET /v1/favicon`. */
const COST = 3;
const GLOBE_SIDE = 32;
const DOCS = pictureDocs('png');

export const duckduckgoRoute = route('GET /compat/{publishableKey}/duckduckgo/ip3/{domain}.ico', {
  ...COMPAT,
  bucket: 'png',
  cost: COST,
  replaces: { service: 'DuckDuckGo', address: 'https://icons.duckduckgo.com/ip3/github.com.ico' },
  summary: 'Get an icon, compatible with icons.duckduckgo.com',
  description: 'Returns an ICO file with 16, 32 and 48 px.',
  params: z.strictObject({
    publishableKey: keyInPath,
    domain: z
      .string()
      .transform(siteOf)
      .meta({ description: 'Host of the site.', type: 'string', example: 'github.com' }),
  }),
  query: querySchema({}, []),
  responses: {
    ...DOCS,
    200: { ...DOCS[200], media: ICO['Content-Type'] },
    404: { description: 'The brand is unknown; the picture is a globe. Not counted', media: ICO['Content-Type'] },
  },
  errors: PICTURE_ERRORS,
  async handle({ params: { domain: site }, catalog, credential }, services) {
    const slug = site.domain && (await services.brands.ownerOf(site.domain, catalog));
    const found = slug && (await catalog.find(slug));
    if (found?.kind === 'entry') return icon({ entry: found.entry, read: catalog.drawingsOf(found.entry) }, services);
    const next = () => ({ ...globe(catalog, services), missing: missingOf({ site }) });
    const { siteIcons } = services;
    if (!siteIcons || !site.domain) return next();
    const asked = { asked: site.domain, credential, icon: siteIco(catalog, services), next };
    return siteAnswer({ ...asked, ...siteFacts({ site }) }, siteIcons);
  },
});

/**
 * Returns a function that makes an ICO file of the website's icon. The file contains the sizes in ICO_SIDES for which
 * the icon is large enough.
 */
function siteIco(catalog: AccountCatalog, { pictures }: Pick<Services, 'pictures'>): AnswerIcon {
  return (found) => {
    const plans = ICO_SIDES.flatMap((side) => {
      const plan = pictures.planSiteIcon(catalog, found, pictureRequest('png', { size: side }));
      return plan ? [{ side, plan }] : [];
    });
    if (plans.length === 0) return undefined;
    const etag = strongEtag(['site ico', ...plans.map(({ plan }) => plan.etag)].join());
    const file = { etag, lastModified: found.foundAt, immutable: false, filename: `${found.host}.ico` } as const;
    const isOwn = catalog.own && ({ isOwn: true } as const);
    const fields = pictureFields({ ...file, ...isOwn, fallback: 'site' }, { format: 'png', download: false });
    const source = { 'X-Blazon-Source': found.source };
    return {
      ...({ kind: 'prepared', etag, lastModified: found.foundAt } as const),
      headers: { ...fields.headers, ...source },
      publicHeaders: { ...fields.publicHeaders, ...source },
      async make(client) {
        const outcomes = await Promise.all(plans.map(({ plan }) => pictures.render(plan, client)));
        const failed = outcomes.find(({ ok }) => !ok);
        if (failed) return pictureReply(failed, ICO);
        const files = outcomes.map((outcome, at) => ({
          side: plans[at]?.side ?? 0,
          png: outcome.ok ? Buffer.from(outcome.body) : Buffer.alloc(0),
        }));
        return pictureReply({ ok: true, body: icoFile(files) }, ICO);
      },
      peek: () => pictureReply(undefined, ICO),
    };
  };
}

function icon(found: ReadableEntry, { favicons }: Pick<Services, 'favicons'>): ConditionalReply {
  const { entry } = found;
  const { etag, render, peek } = favicons.plan(found, 'favicon.ico', AS_IT_IS);
  const { slug } = entry;
  const lastModified = new Date(entry.updatedAt);
  const { headers, publicHeaders } = pictureFields(
    {
      ...{ etag, lastModified, immutable: false, fallback: null, filename: `${slug}.ico` },
      ...(entry.own && { isOwn: true }),
    },
    { format: 'png', download: false },
  );
  const named = { 'X-Blazon-Slug': slug };
  return {
    ...({ kind: 'prepared', slug, etag, lastModified } as const),
    headers: { ...headers, ...named },
    publicHeaders: { ...publicHeaders, ...named },
    make: async (client) => pictureReply(await render(client), ICO),
    peek: () => pictureReply(peek(), ICO),
  };
}

const AS_IT_IS = { variant: null, on: null, color: null, background: null, search: '' } as const;

function globe(catalog: AccountCatalog, { pictures }: Pick<Services, 'pictures'>): ConditionalReply {
  const plan = pictures.planDrawing(GLOBE, pictureRequest('png', { size: GLOBE_SIDE }));
  return {
    kind: 'prepared',
    headers: { ...PICTURE_POLICY, ...notFoundLifetime(catalog) },
    units: 0,
    async make(client) {
      const outcome = await pictures.render(plan, client);
      const file = outcome.ok
        ? { ok: true as const, body: icoFile([{ side: GLOBE_SIDE, png: Buffer.from(outcome.body) }]) }
        : outcome;
      return { ...pictureReply(file, ICO), status: 404 };
    },
    peek: () => ({ ...pictureReply(undefined, ICO), status: 404 }),
  };
}
