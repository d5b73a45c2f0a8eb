// Own brands: drafts made from dropped files, and the requests that save them.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { ApiError, FieldError, isApiError } from '../api/error.js';
import type { components } from '../api/openapi.js';
import { hostOf } from '../host-of.js';
import { callSignedIn, sendSignedIn, type Answer } from './call.js';
import { refetch } from './client.js';
import { readDrawing, type DrawingFile } from './drawing-files.js';

export type OwnBrand = components['schemas']['OwnBrand'];
export type BrandTexts = Record<'title' | 'slug' | 'hex' | 'domains' | 'aliases' | 'guidelines', string>;

/** A new brand, made from one file. */
export interface Draft {
  readonly file: DrawingFile;
  readonly texts: Pick<BrandTexts, 'title' | 'slug' | 'domains'>;
}

export const ownBrands = infiniteQueryOptions({
  queryKey: ['own-brands'],
  queryFn: ({ pageParam, signal }) =>
    callSignedIn('get', '/v1/brands', { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

/**
 * `named`: title of the brand. Without it, the title is made from the file's name. `domains`: initial text of the field
 * for domains. Rejects with an Error with a readable message.
 */
export async function draftOf(chosen: File, named?: string, domains = ''): Promise<Draft> {
  const file = await readDrawing(chosen);
  const name = named ?? chosen.name.replace(/\.svgz?$/i, '');
  const words = name.split(/[\s_-]+/).filter((word) => word !== '');
  const title = named ?? words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return { file, texts: { title, slug: slugOf(name), domains } };
}

export function draftTexts({ texts }: Draft, colors: readonly string[]): BrandTexts {
  return { ...texts, hex: colors[0] ?? '', aliases: '', guidelines: '' };
}

export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-._]+|(?<![-._])[-._]+$/g, '');
}

export function textsOf({ title, slug, hex, domains, aliases, guidelines }: OwnBrand): BrandTexts {
  return {
    ...{ title, slug, hex: hex ?? '', guidelines: guidelines ?? '' },
    domains: domains.join('\n'),
    aliases: aliases.join('\n'),
  };
}

/**
 * Saves a brand with its drawing in one change, so that neither is saved alone. Returns its slug. Throws FieldError and
 * ApiError.
 */
export async function addBrand(texts: BrandTexts, drawing: Blob): Promise<string> {
  const slug = slugOf(texts.slug);
  if (slug === '') throw new FieldError('slug', 'Type at least one letter or digit, as in acme-intranet.');
  if (texts.title.trim() === '') throw new FieldError('title', 'Type a name.');
  const { title, hex, domains, aliases } = factsOf(texts);
  const sidecar = { [slug]: { title, domains, aliases, ...(hex !== null && { hex }) } };
  // `fflate` is loaded on demand, because most visits don't need it.
  const { strToU8, zipSync } = await import('fflate');
  const archive = zipSync({
    [`${slug}.svg`]: new Uint8Array(await drawing.arrayBuffer()),
    'icons.json': strToU8(JSON.stringify(sidecar)),
  });
  const answer = await sendSignedIn('/v1/brands?atomic=1', {
    method: 'PUT',
    content: new Blob([archive], { type: 'application/zip' }),
    headers: { 'If-None-Match': '*' },
  }).catch((error: unknown) => {
    if (!isApiError(error, 'precondition_failed')) throw error;
    throw new FieldError(
      'slug',
      `You have a brand "${slug}" already. Change it with Edit and Drawings in the list, or choose another slug.`,
    );
  });
  const { results } = (await answer.json()) as Archived;
  const rejected = results.find(({ status }) => status === 422);
  if (rejected) throw rejectionOf(rejected);
  return slug;
}

/** Saves the guidelines in a separate request, because archives can't contain guidelines. Throws ApiError. */
export async function addGuidelines(slug: string, texts: BrandTexts): Promise<void> {
  await callSignedIn('patch', '/v1/brands/{slug}', { params: { slug }, body: factsOf(texts) });
}

type Archived = Answer<'put', '/v1/brands'>;

/**
 * Returns a FieldError if the message starts with the name of a field (`domains.0: not a domain`), otherwise an
 * ApiError.
 */
function rejectionOf({ message = '', details }: Archived['results'][number]): Error {
  const [, field, reason] = /^(hex|title|domains|aliases)(?:\.\d+)?: (.+)$/s.exec(message) ?? [];
  if (field !== undefined && reason !== undefined)
    return new FieldError(field, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
  return new ApiError(422, { error: 'unprocessable', message, ...(details && { details }) }, undefined);
}

/** Throws ApiError `precondition_failed` when the brand has changed since `brand` was read. */
export async function changeBrand({ slug, version }: OwnBrand, texts: BrandTexts): Promise<OwnBrand> {
  const headers = { 'If-Match': `"${version}"` };
  return (await callSignedIn('patch', '/v1/brands/{slug}', { params: { slug }, headers, body: factsOf(texts) })).brand;
}

function factsOf({ title, hex, domains, aliases, guidelines }: BrandTexts) {
  return {
    title,
    hex: hex.trim() === '' ? null : hex.trim(),
    domains: linesOf(domains).map(hostOf),
    aliases: linesOf(aliases),
    guidelines: guidelines.trim() === '' ? null : guidelines.trim(),
  };
}

export async function putDrawing(slug: string, variant: string, drawing: Blob): Promise<void> {
  await sendSignedIn(`/v1/brands/${encodeURIComponent(slug)}/variants/${encodeURIComponent(variant)}`, {
    method: 'PUT',
    content: drawing,
  });
}

export async function removeDrawing(slug: string, variant: string): Promise<void> {
  await callSignedIn('delete', '/v1/brands/{slug}/variants/{variant}', { params: { slug, variant } });
}

export async function removeBrand(slug: string): Promise<void> {
  await callSignedIn('delete', '/v1/brands/{slug}', { params: { slug } });
}

/** Reloads the list of own brands, and the data of the catalog, because the catalog also contains own brands. */
export async function refreshBrands(): Promise<void> {
  await Promise.all(
    ['own-brands', 'search', 'entry'].map((name) => refetch([name])),
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
