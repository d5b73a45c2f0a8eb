// Sanitizes uploaded drawings in child processes, like the drawings of an import. Handles one call per account at a
// time.
import type { AccountId } from '../accounts/account.js';
import type { CandidateVariant } from '../catalog/import/candidate.js';
import { LICENSE, MAX_DRAWING_BYTES } from './own-brand.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';
import { decodeSvg } from '../catalog/svg-bytes.js';
import { createFairQueue, type FairQueue } from '../platform/concurrency/fair-queue.js';
import type { SourceDrawing } from '../catalog/import/catalog-sources.js';
import type { StoredDrawing } from '../catalog/catalog-store.js';
import type { Sanitizer } from '../catalog/sanitizer.js';
import { sanitizeIcons, type LicensedIcon } from '../catalog/import/sanitize-icons.js';

export interface UploadedDrawing {
  readonly name: string;
  /** SVG in any encoding, or compressed with gzip. */
  readonly bytes: Buffer;
}

export type SanitizedDrawing =
  | {
      readonly ok: true;
      /** The drawing under its own name, and the variants derived from it. */
      readonly candidates: readonly CandidateVariant[];
      /** `etag` of a candidate → SVG text of the candidate. */
      readonly texts: ReadonlyMap<string, string>;
    }
  | RejectedDrawing;

/**
 * Maximum number of drawings in one call of the sanitizer, so that one account's archive can't occupy a process for
 * long.
 */
export const DRAWINGS_AT_ONCE = 10;
/** Maximum number of waiting calls of all accounts together. */
const MAX_WAITING = 200;
/** Maximum number of waiting calls of one account. */
const MAX_WAITING_OF_ONE = 20;

export type DrawingUploads = ReturnType<typeof createDrawingUploads>;

/**
 * Creates the service. `atOnce`: number of sanitizer processes. It must be at least 2, so that hostile drawings of one
 * account leave a process for other accounts.
 */
export function createDrawingUploads({
  sanitizer,
  atOnce,
}: {
  readonly sanitizer: Sanitizer;
  readonly atOnce: number;
}) {
  const all = createFairQueue({ atOnce, maxWaiting: MAX_WAITING });
  const byAccount = new Map<AccountId, { readonly queue: FairQueue; calls: number }>();

  /** Runs `work` after all earlier work of the account. Throws AppError `busy` if too many calls wait. */
  async function inTurn<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    const own = byAccount.get(accountId) ?? {
      queue: createFairQueue({ atOnce: 1, maxWaiting: MAX_WAITING_OF_ONE }),
      calls: 0,
    };
    byAccount.set(accountId, own);
    own.calls++;
    try {
      return await own.queue.run(accountId, () => all.run(accountId, work));
    } finally {
      own.calls--;
      if (own.calls === 0) byAccount.delete(accountId);
    }
  }

  return {
    /** Returns one outcome per drawing, in order. Throws AppError `busy`. */
    async sanitize(accountId: AccountId, drawings: readonly UploadedDrawing[]): Promise<readonly SanitizedDrawing[]> {
      const outcomes: SanitizedDrawing[] = [];
      for (let at = 0; at < drawings.length; at += DRAWINGS_AT_ONCE) {
        const some = drawings.slice(at, at + DRAWINGS_AT_ONCE);
        outcomes.push(...(await inTurn(accountId, () => sanitizeSome(sanitizer, some))));
      }
      return outcomes;
    },
  };
}

/** Outcome for a drawing for which the sanitizer returned no outcome, which is a bug. */
export const NOT_DRAWN: RejectedDrawing = {
  ok: false,
  reason: 'undrawable',
  message: 'the file contains nothing that can be drawn',
};

async function sanitizeSome(
  sanitizer: Sanitizer,
  uploaded: readonly UploadedDrawing[],
): Promise<readonly SanitizedDrawing[]> {
  const skipped = new Map<string, RejectedDrawing>();
  const icons = await Promise.all(
    uploaded.map(async ({ name, bytes }, index) =>
      iconOf(String(index), { name, ...(await decodeSvg(bytes, MAX_DRAWING_BYTES)) }),
    ),
  );
  const { candidates, drawings } = await sanitizeIcons(icons, {
    source: SOURCE,
    sanitizer,
    skip(_key, _reason, _message, drawing) {
      if (drawing) skipped.set(drawing.icon, drawing.rejected);
    },
    glyphs: new Set(),
  });
  const byKey = new Map(candidates.map((candidate) => [candidate.key, candidate.variants]));
  return uploaded.map((_, index) => {
    const variants = byKey.get(String(index));
    if (variants !== undefined) return { ok: true, candidates: variants, texts: textsOf(variants, drawings) };
    return skipped.get(String(index)) ?? NOT_DRAWN;
  });
}

/**
 * Catalog source that stands for the uploads. Like the operator's own drawings (`isOverride`), uploads keep their
 * colors.
 */
const SOURCE = {
  id: 'own',
  package: 'own',
  version: '0',
  kind: 'brands',
  prefix: null,
  isOverride: true,
  size: 0,
  items: noItems,
} as const;

async function* noItems(): AsyncIterable<never> {
  // Yields nothing, because `sanitizeIcons` gets its icons as an argument.
}

function iconOf(key: string, drawing: SourceDrawing): LicensedIcon {
  return {
    ...{ key, title: key, titleGuessed: false, aliases: [], categories: [], hex: null, website: null, origin: null },
    ...{ guidelines: null, license: LICENSE, drawings: [drawing] },
  };
}

function textsOf(
  variants: readonly CandidateVariant[],
  drawings: readonly StoredDrawing[],
): ReadonlyMap<string, string> {
  const etags = new Set(variants.flatMap(({ etag, painted }) => (painted === undefined ? [etag] : [etag, painted])));
  return new Map(drawings.filter(({ etag }) => etags.has(etag)).map(({ etag, svg }) => [etag, svg]));
}
