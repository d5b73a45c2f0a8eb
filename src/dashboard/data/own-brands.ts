// Own brands: drafts made of files that were dropped, and what is sent of them.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { FieldError, isApiError } from '../api/error.js';
import type { components } from '../api/openapi.js';
import { hostOf } from '../host-of.js';
import { callSignedIn, sendSignedIn } from './call.js';
import { refetch } from './client.js';

export type OwnBrand = components['schemas']['OwnBrand'];
export type BrandTexts = Record<'title' | 'slug' | 'hex' | 'domains' | 'aliases' | 'guidelines', string>;

export interface Draft {
  readonly id: number;
  readonly fileName: string;
  readonly svg: string;
  readonly texts: BrandTexts;
  /** Colors in the drawing, the most frequent first. */
  readonly colors: readonly string[];
}

const MAX_BYTES = 2 ** 20;
const MAX_COLORS = 8;

export const ownBrands = infiniteQueryOptions({
  queryKey: ['own-brands'],
  queryFn: ({ pageParam, signal }) =>
    callSignedIn('get', '/v1/brands', { query: { limit: 50, cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

let lastId = 0;

/** `named`: undefined takes the name of the file. Rejects with an Error whose message is for people. */
export async function draftOf(file: File, named?: string): Promise<Draft> {
  if (!/\.svg$/i.test(file.name)) throw new Error('Not an SVG. Export the logo as SVG: a bitmap cannot be scaled.');
  if (file.size > MAX_BYTES) throw new Error('Larger than 1 MB.');
  const svg = await file.text();
  if (!svg.includes('<svg')) throw new Error('There is no <svg> in this file.');
  const name = named ?? file.name.replace(/\.svg$/i, '');
  const colors = colorsIn(svg);
  const words = name.split(/[\s_-]+/).filter((word) => word !== '');
  const title = named ?? words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  lastId += 1;
  return {
    ...{ id: lastId, fileName: file.name, svg, colors },
    texts: { title, slug: slugOf(name), hex: colors[0] ?? '', domains: '', aliases: '', guidelines: '' },
  };
}

export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-._]+|(?<![-._])[-._]+$/g, '');
}

function colorsIn(svg: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [color] of svg.matchAll(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi)) {
    const [, ...digits] = color.toUpperCase();
    const full = `#${digits.length === 3 ? digits.map((digit) => digit + digit).join('') : digits.join('')}`;
    counts.set(full, (counts.get(full) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLORS)
    .map(([color]) => color);
}

export function textsOf({ title, slug, hex, domains, aliases, guidelines }: OwnBrand): BrandTexts {
  return {
    ...{ title, slug, hex: hex ?? '', guidelines: guidelines ?? '' },
    domains: domains.join('\n'),
    aliases: aliases.join('\n'),
  };
}

/** A brand that is not there yet. Throws FieldError, ApiError. */
export async function addBrand(texts: BrandTexts): Promise<OwnBrand> {
  const slug = slugOf(texts.slug);
  if (slug === '') throw new FieldError('slug', 'A letter or digit at least, as in acme-intranet.');
  const headers = { 'If-None-Match': '*' };
  try {
    return (await callSignedIn('put', '/v1/brands/{slug}', { params: { slug }, headers, body: factsOf(texts) })).brand;
  } catch (error) {
    if (!isApiError(error, 'precondition_failed')) throw error;
    throw new FieldError(
      'slug',
      `There is a brand "${slug}" of yours already. Change it by Edit and Drawings in the list, or choose another slug.`,
    );
  }
}

/** Throws ApiError `precondition_failed` when it is no longer as `brand` says. */
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

export async function putDrawing(slug: string, variant: string, svg: string): Promise<void> {
  await sendSignedIn(`/v1/brands/${encodeURIComponent(slug)}/variants/${encodeURIComponent(variant)}`, {
    method: 'PUT',
    content: new Blob([svg], { type: 'image/svg+xml' }),
  });
}

export async function removeDrawing(slug: string, variant: string): Promise<void> {
  await callSignedIn('delete', '/v1/brands/{slug}/variants/{variant}', { params: { slug, variant } });
}

export async function removeBrand(slug: string): Promise<void> {
  await callSignedIn('delete', '/v1/brands/{slug}', { params: { slug } });
}

/** Own brands stand in the catalog, too. */
export async function refreshBrands(): Promise<void> {
  await Promise.all(
    ['own-brands', 'search', 'entry', 'drawing'].map((name) => refetch([name])),
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
