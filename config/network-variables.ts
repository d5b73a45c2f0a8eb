// Variables of outgoing requests.
import { z } from 'zod';
import { isHttpProxyUrl } from './urls.js';

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
} as const;
