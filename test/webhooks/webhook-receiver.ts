// A receiver of webhooks on a free port of this machine.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

export interface WebhookContent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Sends the response to a request. By default, its status is 204. */
type Answer = (response: ServerResponse, received: Received) => void;

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

export async function startWebhookReceiver() {
  const requests: Received[] = [];
  let answer: Answer | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const received = { headers, body: Buffer.concat(chunks).toString('utf8'), path };
      requests.push(received);
      if (answer) answer(response, received);
      else response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/hook`,
    /** All requests so far, in order. */
    requests,
    answerWith: (given: Answer | undefined): void => void (answer = given),
    answerStatus(status: number, headers: Record<string, string> = {}, body = ''): void {
      answer = (response) => void response.writeHead(status, headers).end(body);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Verifies a request as a receiver does. Throws if no signature matches. */
export function verified({ headers, body }: Received, secret: string): WebhookContent {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as WebhookContent;
}
