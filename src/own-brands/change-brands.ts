// Changes own brands, one change at a time for each account. A change first stores its new texts: pages (records with
// several brands) and drawings. Then one write of the account's record makes the change visible.
import type { Account, AccountId, AccountOwnBrands } from '../accounts/account.js';
import type { AuditActor, AuditFact } from '../accounts/audit-event.js';
import { tierAt } from '../accounts/tier.js';
import { assertStillOwner, type OwnerProof } from '../accounts/changes/reauthentication.js';
import type { Slug } from '../catalog/entry.js';
import { ALL_REMOVED, assertLength, pageCount, paged, pageOf } from './brand-pages.js';
import { droppedTexts, textIdsOf, type EditTime } from './edit-brand.js';
import type { OwnBrand } from './own-brand.js';
import { ownIndexIn, type OwnIndex } from './own-index.js';
import { randomBase62 } from '../platform/text/base62.js';
import { AppError, isCode } from '../platform/errors.js';
import type { OwnBrandText } from './own-brand-texts.js';
import type { AccountContext } from '../accounts/context.js';
import type { AccountCatalogs } from '../catalog/account-catalogs.js';
import type { DrawingUploads } from './drawing-uploads.js';

export interface BrandOwner {
  readonly accountId: AccountId;
  readonly by: AuditActor;
  readonly proof: OwnerProof;
}

export interface Edit<Result> {
  /** Changed brands by slug; undefined for a removed brand. Doesn't contain unchanged brands. */
  readonly brands: ReadonlyMap<Slug, OwnBrand | undefined>;
  /** Texts to store for new drawings. */
  readonly texts: readonly OwnBrandText[];
  readonly facts: readonly AuditFact[];
  readonly result: Result;
}

/**
 * A change removes the stored texts that it has replaced. Every 64th change of an account also removes the texts that
 * aborted changes have stored.
 */
const SWEEP_EVERY = 64;
export const TEXT_ID_LENGTH = 11;
const NO_BRANDS: AccountOwnBrands = { pages: '', count: 0, changes: 0 };

export interface ChangeParts extends Pick<AccountContext, 'actors' | 'ownBrandTexts' | 'plans'> {
  readonly catalogs: Pick<AccountCatalogs, 'forPages'>;
}

/** Dependencies of edits that add drawings. All changes need `ChangeParts`. */
export interface DrawingParts extends ChangeParts, Pick<AccountContext, 'rateLimits'> {
  readonly uploads: DrawingUploads;
}

export async function indexOf(
  { forPages }: ChangeParts['catalogs'],
  { id, ownBrands }: Pick<Account, 'id' | 'ownBrands'>,
): Promise<OwnIndex> {
  return ownIndexIn(await forPages(id, ownBrands?.pages ?? ''));
}

export type DecideEdit<Result> = (index: OwnIndex, time: EditTime) => Promise<Edit<Result>> | Edit<Result>;

export type ChangeBrands = ReturnType<typeof createChange>;

/** A change whose new pages and drawings are stored, but not yet visible to readers. */
interface Prepared<Result> {
  readonly edit: Edit<Result>;
  /** New value of the account's field `ownBrands`. Undefined if nothing changes. */
  readonly next: AccountOwnBrands | undefined;
  /** Ids of the stored texts that are unused once the change is visible. */
  readonly superseded: readonly string[];
}

/**
 * Creates the function that changes own brands, one change at a time for each account. The function stores new pages
 * and drawings under new ids. When all of them are stored, one write of the account's record makes them visible. Then
 * the function removes unused pages and drawings. An aborted change leaves only pages and drawings that nothing refers
 * to.
 */
export function createChange({ actors, catalogs, ownBrandTexts, plans }: ChangeParts) {
  async function prepare<Result>(
    account: Account,
    at: Date,
    decide: DecideEdit<Result>,
    written: Set<string>,
  ): Promise<Prepared<Result>> {
    const current = account.ownBrands ?? NO_BRANDS;
    const index = await indexOf(catalogs, account);
    const version = current.changes + 1;
    const edit = await decide(index, { version, at: new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString() });
    if (edit.brands.size === 0) return { edit, next: undefined, superseded: [] };
    const brands = new Map(index.brands().map((brand) => [brand.slug, brand]));
    for (const [slug, brand] of edit.brands)
      if (brand) brands.set(slug, brand);
      else brands.delete(slug);
    assertRoom(brands.size, account.ownBrands, plans[tierAt(account, at)].ownBrands);
    const left = version % SWEEP_EVERY === 0 ? await ownBrandTexts.ids(account.id) : [];
    const pages = await index.run(nextPages(index, [...brands.values()], [...edit.brands.keys()]));
    assertLength(pages.chars, index.chars);
    const texts = [...edit.texts, ...pages.texts];
    for (const { id } of texts) written.add(id);
    await ownBrandTexts.add(account.id, texts);
    const dropped = [...edit.brands].flatMap(([slug, brand]) => droppedTexts(index.brand(slug), brand));
    const kept = new Set([...pages.ids, ...(left.length === 0 ? [] : [...brands.values()].flatMap(textIdsOf))]);
    return {
      edit,
      next: { pages: pages.ids.join(' ') || ALL_REMOVED, count: brands.size, changes: version },
      superseded: [...pages.superseded, ...dropped, ...left.filter((id) => !kept.has(id))],
    };
  }

  return async <Result>(owner: BrandOwner, decide: DecideEdit<Result>): Promise<Result> => {
    const { accountId, by, proof } = owner;
    const written = new Set<string>();
    let last: Prepared<Result> | undefined;
    const remove = (ids: readonly string[]) => ownBrandTexts.remove(accountId, ids).catch(() => undefined);
    try {
      const result = await actors.runPrepared(accountId, by, {
        async prepare(account, at) {
          // `prepare` is called again if another change of the account is written first. The texts that its first call
          // has stored are then removed.
          if (written.size > 0) await remove([...written]);
          written.clear();
          assertStillOwner(account, proof, at);
          last = await prepare(account, at, decide, written);
          return last;
        },
        decide(account, at, { edit, next }) {
          assertStillOwner(account, proof, at);
          if (!next) return { account, facts: [], result: edit.result };
          return { account: { ...account, ownBrands: next }, facts: edit.facts, result: edit.result };
        },
      });
      if (last) await remove(last.superseded);
      return result;
    } catch (error) {
      // After the error `unavailable`, it is unknown whether the account's record was written. The record may refer to
      // the texts in `written`, so these texts stay.
      if (!isCode(error, 'unavailable')) await remove([...written]);
      throw error;
    }
  };
}

/**
 * Throws AppError `brand_limit` if `count` brands exceed the plan's limit and the number of brands increases. After a
 * change of plan, an account may have more brands than allowed. It can change them, but not add brands.
 */
export function assertRoom(count: number, before: Account['ownBrands'], limit: number | null): void {
  const { count: current } = before ?? NO_BRANDS;
  if (limit === null || count <= limit || count <= current) return;
  throw new AppError(
    'brand_limit',
    `This plan allows ${limit} own brands. The account has ${current}, and this request would add ${count - current}. ` +
      'Delete own brands, or upgrade the plan.',
  );
}

/**
 * Builds the pages that store these brands. A page without a changed brand keeps its id, unless the number of pages
 * changes. Yields after each new page.
 */
function* nextPages({ pages: before }: OwnIndex, brands: readonly OwnBrand[], changed: readonly Slug[]) {
  const ids = [...before.keys()];
  const count = pageCount(brands.length, ids.length);
  const outdated = new Set(count === ids.length ? changed.map((slug) => pageOf(slug, count)) : undefined);
  const isKept = (number: number): boolean => count === ids.length && !outdated.has(number);
  const next: string[] = [];
  const texts: OwnBrandText[] = [];
  let chars = 0;
  for (const [number, page] of paged(brands, count).entries()) {
    const kept = isKept(number) ? ids[number] : undefined;
    const id = kept ?? randomBase62(TEXT_ID_LENGTH);
    next.push(id);
    if (kept === undefined) {
      const text = JSON.stringify(page);
      texts.push({ id, text });
      chars += text.length;
      yield;
    } else chars += before.get(id)?.chars ?? 0;
  }
  return { ids: next, texts, chars, superseded: ids.filter((id) => !next.includes(id)) };
}
