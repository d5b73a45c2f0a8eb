// Web servers on this machine, for tests. The setting SITE_ICON_ORIGINS allows the service to fetch icons from them.
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';

/**
 * Response by path. Text is sent as SVG, as a web app manifest or as HTML, depending on how it begins. Bytes are sent
 * as PNG.
 */
export type Answers = Readonly<
  Record<string, string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void)>
>;

export type Site = Awaited<ReturnType<typeof startSite>>;

export async function startSite(answers: Answers | RequestListener) {
  const requests: string[] = [];
  const heads: IncomingMessage['headers'][] = [];
  let current = answers;
  const server = http.createServer((request, response) => {
    requests.push(request.url ?? '');
    heads.push(request.headers);
    if (typeof current === 'function') {
      current(request, response);
      return;
    }
    const answer = current[request.url ?? ''];
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>Not found');
    else response.writeHead(200, { 'Content-Type': typeOf(answer) }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    heads,
    answer: (next: Answers | RequestListener) => void (current = next),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function typeOf(answer: string | Buffer): string {
  if (typeof answer !== 'string') return 'image/png';
  if (answer.startsWith('<svg')) return 'image/svg+xml';
  return answer.startsWith('{') ? 'application/manifest+json' : 'text/html; charset=utf-8';
}

/** Creates a PNG with a shape on a transparent background. */
export function png(width: number, height = width, color = '#d02020'): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="${color}" d="M0 0h${width / 2}v${height}h-${width / 2}z"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Creates a PNG of one color. */
export const plainPng = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer();

export const svg = (fill = '#2060d0'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${fill}" d="M2 2h20v9H2z"/><path fill="#d02020" d="M2 13h20v9H2z"/></svg>`;
