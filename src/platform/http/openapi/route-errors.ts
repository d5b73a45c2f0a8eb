// Security schemes and error codes of a route, from its kind and its own list.
import type { ErrorCode } from '../../errors.js';
import { isMetered, type Route } from '../route.js';

type Scheme = 'apiKey' | 'bearerKey' | 'publishableKey' | 'bearer' | 'session';

interface Kind {
  /** Accepted security schemes; one of them is enough. */
  readonly schemes: readonly Scheme[];
  /** Error codes for requests without a valid credential. */
  readonly errors: readonly ErrorCode[];
}

const KINDS: Readonly<Record<Route['auth'], Kind>> = {
  none: { schemes: [], errors: [] },
  key: { schemes: ['apiKey'], errors: ['invalid_api_key', 'account_suspended'] },
  bearer: { schemes: ['bearer'], errors: ['invalid_token', 'account_suspended'] },
  cookie: { schemes: ['session'], errors: ['session_ended', 'forbidden', 'account_suspended'] },
  'bearer-or-cookie': { schemes: ['bearer', 'session'], errors: ['invalid_token', 'forbidden'] },
  'own-key': { schemes: ['apiKey'], errors: ['invalid_api_key', 'account_suspended'] },
  visitor: { schemes: ['session'], errors: ['session_ended', 'forbidden', 'account_suspended', 'rate_limited'] },
  signature: { schemes: [], errors: ['payload_too_large', 'unsupported_media_type'] },
  account: {
    schemes: ['apiKey', 'bearer'],
    errors: ['invalid_api_key', 'invalid_token', 'account_suspended', 'rate_limited'],
  },
  'key-or-bearer': { schemes: ['apiKey', 'bearer'], errors: ['invalid_api_key', 'account_suspended'] },
};

/**
 * Returns the accepted schemes; one of them is enough. The list is empty for a publishable key in the path, or if no
 * credential is needed.
 */
export function schemesOf(route: Route): readonly Scheme[] {
  if (isMetered(route) && route.isBearerKey === true) return ['apiKey', 'bearerKey'];
  if (!isMetered(route) || route.publishable === undefined) return KINDS[route.auth].schemes;
  return route.publishable === 'query' ? [...KINDS[route.auth].schemes, 'publishableKey'] : [];
}

/** Returns every error code of a route: its own, and the codes of its kind. */
export function routeErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'invalid_request',
    'method_not_allowed',
    'internal_error',
    // A publishable key was sent to a route that does not accept it.
    'invalid_api_key',
    ...KINDS[route.auth].errors,
    ...(route.errors ?? []),
  ]);
  if (route.auth === 'key-or-bearer' && route.wrongToken === undefined) codes.add('invalid_token');
  if (isMetered(route)) codes.add('quota_exceeded').add('rate_limited');
  if (isMetered(route) && route.publishable !== undefined) codes.add('forbidden');
  if (needsStore(route)) codes.add('unavailable');
  if (route.auth !== 'key' && route.auth !== 'signature' && route.binary)
    codes.add('payload_too_large').add('unsupported_media_type');
  if (route.body) codes.add('invalid_json').add('payload_too_large').add('unsupported_media_type');
  return [...codes];
}

/**
 * Returns true if the route uses the stores: to look up credentials, or to write. The other routes are pages, documents
 * and health checks.
 */
function needsStore({ auth, method }: Route): boolean {
  return auth !== 'none' || method !== 'GET';
}
