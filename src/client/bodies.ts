// Bodies that are not JSON: drawings and archives in requests, and text in responses.
import { BlazonError } from './error.js';

const JSON_MEDIA = 'application/json';
/** Media types that are read as text if the caller doesn't choose a type. */
const TEXT_MEDIA = /^(image\/svg\+xml|text\/plain)/;

/** Path → media type of the request body, for routes that don't accept JSON. */
const MEDIA_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/brands': 'application/zip',
  '/v1/brands/{slug}/variants/{variant}': 'image/svg+xml',
  '/v1/drawings': 'image/svg+xml',
};

/** Serializes a request body. A string is sent unchanged, because no route accepts a string as JSON. */
export function serialized(body: unknown): Blob | string {
  if (body instanceof Blob) return body;
  const isRaw = typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return isRaw ? new Blob([body as string]) : JSON.stringify(body);
}

/**
 * Request that keeps the media type of a Blob. Without this class, the OpenAPI client would declare every body as JSON.
 */
export class BodyRequest extends Request {
  constructor(...[url, init = {}]: ConstructorParameters<typeof Request>) {
    const headers = new Headers(init.headers);
    if (init.body instanceof Blob && headers.get('Content-Type') === JSON_MEDIA) headers.delete('Content-Type');
    super(url, { ...init, headers });
  }
}

/** Sets the media type of a request body if the request has none. */
export function nameMedia({ method, headers }: Request, schemaPath: string): void {
  const media = MEDIA_BY_PATH[schemaPath];
  const hasBody = method === 'PUT' || method === 'POST';
  if (media !== undefined && hasBody && !headers.has('Content-Type')) headers.set('Content-Type', media);
}

/**
 * Converts a text response to a JSON response whose body is the text as a JSON string. Returns undefined for JSON, and
 * for responses with an error status. Rejects with BlazonError for binary data, and for the HTML page of a proxy.
 */
export async function asJson(response: Response): Promise<Response | undefined> {
  const media = response.headers.get('Content-Type') ?? JSON_MEDIA;
  if (!response.ok || /^application\/([\w.-]+\+)?json/.test(media)) return undefined;
  if (TEXT_MEDIA.test(media)) return Response.json(await response.text(), response);
  throw new BlazonError('unknown', `The response is ${media} instead of JSON. Use 'parseAs' to read it.`, { response });
}
