// Answers with the picture of a brand that is requested by name. A search costs much time, so it starts only after the
// request is admitted.
import { z } from 'zod';
import { monogramOfName } from '../pictures/monogram.js';
import { PRINTABLE_PATTERN } from '../platform/text/printable.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { PictureRequest } from '../pictures/picture-request.js';
import type { ConditionalReply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { answerOf, type WantedPicture } from './answer.routes.js';

/** A request counts as this many requests against the limit per second, as for `GET /v1/brand?name=`. */
export const BY_NAME_COST = 5;
const MAX_NAME_CHARACTERS = 100;

export const nameInPath = z
  .string()
  .min(1)
  .regex(PRINTABLE_PATTERN, { error: 'has a control character' })
  .max(MAX_NAME_CHARACTERS, { error: `longer than ${MAX_NAME_CHARACTERS} characters` })
  .meta({
    description: 'Name of the brand.',
    allowed: `1 to ${MAX_NAME_CHARACTERS} characters`,
    example: 'Visual Studio Code',
  });

/**
 * Returns the answer. Its `ETag` is known only after the search. A conditional request therefore gets the whole
 * picture.
 */
export function compatPictureByName(
  { catalog, name }: { readonly catalog: AccountCatalog; readonly name: string },
  request: PictureRequest,
  services: Pick<Services, 'brands' | 'pictures'>,
): ConditionalReply {
  return {
    kind: 'prepared',
    headers: {},
    async make(client) {
      const found = await services.brands.lookup({ name }, catalog, client);
      const wanted: WantedPicture = found.kind === 'found' ? { slugs: [found.entry.slug] } : { name };
      const picture = await answerOf(
        { catalog, wanted, request, missing: { monogram: monogramOfName(name), request } },
        services,
      );
      const { status, headers, body } = await picture.make(client);
      return {
        kind: 'reply',
        status,
        headers: [picture.publicHeaders ?? picture.headers, ...headers],
        body,
        missing: picture.missing,
      };
    },
  };
}
