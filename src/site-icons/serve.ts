// Services that request handlers need for site icons. Opens the network, the processes that read icons, and the
// service. Opens nothing if site icons are off.
import { readDefaultIcons } from '../../config/default-icons.js';
import { openSanitizer } from '../catalog/sanitizer.worker.js';
import { createDrawingUploads } from '../own-brands/drawing-uploads.js';
import type { Serving } from '../platform/feature.js';
import { openOutgoing } from '../platform/outgoing/outgoing.js';
import { hostExceptions } from '../platform/outgoing/target.js';
import { createFetchLimits } from './fetch-limits.js';
import { createIconFinder } from './find-icon.js';
import { openIconDecoder } from './icon-decoder.worker.js';
import { createSiteIcons } from './site-icons.js';

/** Number of processes that sanitize drawings. They end when there is nothing to sanitize. */
const SANITIZERS = 2;
const SANITIZE_MS = 5000;
const IDLE_MS = 30_000;

export function serveSiteIcons({ env, stores, services, shares, fence, metrics, now, onError }: Serving) {
  if (env.SITE_ICONS === 'off') return { services: {} };
  const { deployment } = services;
  const client = { userAgent: `Blazon/${env.VERSION} (+${deployment.origin})`, proxy: env.HTTPS_PROXY };
  const exceptions = hostExceptions(env.SITE_ICON_ORIGINS);
  const outside = openOutgoing(client);
  // Client for the private hosts in SITE_ICON_ORIGINS. Other sites use the client `outside`, because a public site
  // could direct requests to private hosts, by a redirect or by the URL of an icon.
  const inside = openOutgoing({ ...client, exceptions });
  const limits = { drawingTimeoutMs: SANITIZE_MS, idleMs: IDLE_MS };
  const sanitizer = openSanitizer({ processes: SANITIZERS, fence, ...limits });
  const decoder = openIconDecoder(fence);
  const find = createIconFinder({
    outgoingFor: (host) => (exceptions.hosts.has(host) ? inside : outside),
    uploads: createDrawingUploads({ sanitizer, atOnce: SANITIZERS }),
    isDefault: readDefaultIcons(),
    decoder,
  });
  const siteIcons = createSiteIcons({
    ...{ store: stores.siteIconStore, locks: stores.locks, find, now },
    hostOf: ({ anyHost, host }) => (anyHost !== undefined && exceptions.hosts.has(anyHost) ? anyHost : host?.host),
    takeFromLimits: createFetchLimits({ ...stores, plans: deployment.plans, now }),
    cacheBytes: shares.siteIcons,
    onFetch: metrics?.siteIconFetch,
    onLookup: metrics?.siteIconLookup,
    onError: (error) => onError(error, 'fetching the icon of a site failed'),
  });
  return {
    services: { siteIcons, refreshSiteIcon: (host: string) => siteIcons.refresh(host) },
    async close() {
      await siteIcons.close();
      await Promise.all([outside.close(), inside.close(), sanitizer.close(), decoder.close()]);
    },
  };
}
