// Second HTTP server, on the loopback interface: Prometheus metrics and health checks.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Health } from '../health.js';

interface Options {
  readonly health: Health;
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

export function createMetricsServer(options: Options): Server {
  return createServer((request, response) => {
    answer(request.url ?? '/', response, options).catch(() => response.destroy());
  });
}

async function answer(url: string, response: ServerResponse, { health, contentType, text }: Options): Promise<void> {
  switch (url) {
    case '/metrics':
      send(response, 200, contentType, await text());
      return;
    case '/healthz':
      send(response, 200, 'application/json', JSON.stringify({ status: 'ok' }));
      return;
    case '/readyz': {
      const readiness = await health.readiness();
      send(response, readiness.status === 'ready' ? 200 : 503, 'application/json', JSON.stringify(readiness));
      return;
    }
    default:
      send(response, 404, 'text/plain', 'This port serves /metrics, /healthz and /readyz.\n');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}
