// Variables of outgoing requests.
import { z } from 'zod';
import { list } from './shared-schemas.js';
import { isBareUrl, isHttpProxyUrl } from './urls.js';

export const NETWORK_VARIABLES = {
  HTTPS_PROXY: {
    schema: z.string().refine((text) => text === '' || isHttpProxyUrl(text), {
      error: 'http:// or https:// and the host and port of a proxy, as in http://proxy.internal:3128',
    }),
    default: '',
    meaning:
      'HTTP proxy for requests to addresses that others choose. The proxy resolves host names, so it must not reach private networks. If empty: direct connections.',
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
