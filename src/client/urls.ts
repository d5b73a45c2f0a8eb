// URLs of pictures, with typed parameters. These functions send no requests.
import type { paths } from './openapi.js';

export type PictureFormat = 'svg' | 'png' | 'webp';

type QueryOf<Path extends keyof paths> = paths[Path] extends {
  readonly get: { readonly parameters: { readonly query?: infer Query } };
}
  ? NonNullable<Query>
  : never;

/** Parameters of a picture. `key` is a publishable key. */
export type PictureParameters<Format extends PictureFormat> = QueryOf<`/v1/${Format}/{slug}`> & {
  readonly key?: string | undefined;
};
/** Parameters of a logo. `key` is a publishable key. */
export type LogoParameters = QueryOf<'/v1/logo/{domain}'> & { readonly key?: string | undefined };

/** Returns the URL of a picture. `service` is the URL of the service, such as https://icons.example.com. */
export function pictureUrl<Format extends PictureFormat>(
  service: string,
  format: Format,
  slug: string,
  parameters?: PictureParameters<Format>,
): string {
  return addressOf(service, `v1/${format}/${encodeURIComponent(slug)}`, parameters);
}

export function logoUrl(service: string, domain: string, parameters?: LogoParameters): string {
  return addressOf(service, `v1/logo/${encodeURIComponent(domain)}`, parameters);
}

/**
 * Returns the URL without trailing slashes. A loop is used because `/\/+$/` would take quadratic time for text with
 * many slashes.
 */
export function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === '/') end--;
  return url.slice(0, end);
}

type Written = Readonly<Record<string, string | number | undefined>> | undefined;

function addressOf(service: string, path: string, parameters: Written = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const search = query.toString();
  return `${withoutEndSlashes(service)}/${path}${search === '' ? '' : `?${search}`}`;
}
