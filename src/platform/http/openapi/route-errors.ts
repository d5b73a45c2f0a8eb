// Security schemes and error codes of a route.
import type { ErrorCode } from '../../errors.js';
import { isMetered, type Route } from '../route.js';

type Scheme = 'apiKey' | 'bearerKey' | 'publishableKey' | 'bearer' | 'session';

interface Kind {
  /** Accepted security schemes. A request needs one of them. */
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
 * Returns the accepted security schemes, of which a request needs one. Returns none if no credential is needed, or for
 * a publishable key in the path.
 */
export function schemesOf(route: Route): readonly Scheme[] {
  if (isMetered(route) && route.isBearerKey === true) return ['apiKey', 'bearerKey'];
  if (!isMetered(route) || route.publishable === undefined) return KINDS[route.auth].schemes;
  return route.publishable === 'query' ? [...KINDS[route.auth].schemes, 'publishableKey'] : [];
}

/** Returns all error codes of a route: its own, and the codes of its kind of credential. */
export function routeErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'invalid_request',
    'method_not_allowed',
    'internal_error',
    // For a publishable key that is sent to a route without support for it.
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
 * Returns true if the route uses the stores, to look up credentials or to write. The other routes are pages, documents
 * and health checks.
 */
function needsStore({ auth, method }: Route): boolean {
  return auth !== 'none' || method !== 'GET';
}
