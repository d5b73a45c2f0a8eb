// Bodies that are no JSON: drawings and archives that are sent, and text that is answered.
import { BlazonError } from './error.js';

const JSON_MEDIA = 'application/json';
/** Read as text where the caller says nothing. */
const TEXT_MEDIA = /^(image\/svg\+xml|text\/plain)/;

/** What the routes take that take no JSON. */
const MEDIA_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/brands': 'application/zip',
  '/v1/brands/{slug}/variants/{variant}': 'image/svg+xml',
  '/v1/drawings': 'image/svg+xml',
};

/** No route takes a string as JSON. */
export function serialized(body: unknown): Blob | string {
  if (body instanceof Blob) return body;
  const isRaw = typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return isRaw ? new Blob([body as string]) : JSON.stringify(body);
}

/** A Blob keeps its type: the client of OpenAPI says JSON of any body. */
export class BodyRequest extends Request {
  constructor(...[url, init = {}]: ConstructorParameters<typeof Request>) {
    const headers = new Headers(init.headers);
    if (init.body instanceof Blob && headers.get('Content-Type') === JSON_MEDIA) headers.delete('Content-Type');
    super(url, { ...init, headers });
  }
}

/** The type of a body that has none. */
export function nameMedia({ method, headers }: Request, schemaPath: string): void {
  const media = MEDIA_BY_PATH[schemaPath];
  const hasBody = method === 'PUT' || method === 'POST';
  if (media !== undefined && hasBody && !headers.has('Content-Type')) headers.set('Content-Type', media);
}

/** For a caller that reads JSON: text as a JSON string. Rejects with BlazonError for bytes, and for a page of something between. */
export async function asJson(response: Response): Promise<Response | undefined> {
  const media = response.headers.get('Content-Type') ?? JSON_MEDIA;
  if (!response.ok || /^application\/([\w.-]+\+)?json/.test(media)) return undefined;
  if (TEXT_MEDIA.test(media)) return Response.json(await response.text(), response);
  throw new BlazonError('unknown', `The answer is ${media}, no JSON; 'parseAs' reads it.`, { response });
}
