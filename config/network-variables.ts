// Environment variables for the requests that the service sends to other servers.
import { z } from 'zod';
import { list } from './shared-schemas.js';
import { isBareUrl, isHostOrigin, isHttpProxyUrl } from './urls.js';

export const NETWORK_VARIABLES = {
  SITE_ICONS: {
    schema: z.enum(['on', 'off'], { error: 'on or off' }),
    default: 'off',
    meaning: '`on`: fetches icons of sites for domains without a brand. See [site-icons.md](site-icons.md).',
  },
  SITE_ICON_ORIGINS: {
    schema: list(
      isHostOrigin,
      'hosts and their origins, separated by commas, as in intranet.corp=http://10.0.0.7:8080',
    ),
    default: '',
    meaning:
      'Private sites whose icons may be fetched, each with its origin, comma separated: `intranet.corp=http://10.0.0.7:8080`.',
  },
  HTTPS_PROXY: {
    schema: z.string().refine((text) => text === '' || isHttpProxyUrl(text), {
      error: 'http:// or https:// and the host and port of a proxy, for example http://proxy.internal:3128',
    }),
    default: '',
    meaning: 'HTTP proxy for site icons and webhooks. The proxy must not be able to reach private networks.',
    secret: true,
  },
  WEBHOOK_ORIGINS: {
    schema: list(
      (origin) => isBareUrl(origin) && !origin.endsWith('/'),
      'origins, separated by commas, as in https://hooks.internal:8443,http://10.0.0.7:9000',
    ),
    default: '',
    meaning:
      'Origins to which webhooks may be sent although they are private, not https, or on another port than 443. Comma separated.',
  },
} as const;
