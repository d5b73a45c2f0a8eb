// The two cookies: session and trusted device. Scripts cannot read them (HttpOnly).
import { cookieNames, isSecure } from '../../platform/http/cookie-names.js';
import type { IncomingHttpHeaders } from 'node:http';
import { DEVICE_MS } from '../trusted-device.js';
import { SESSION_ABSOLUTE_MS } from '../session.js';
import { SECOND_MS } from '../../platform/time.js';
import { invalidField } from '../../platform/errors.js';
import type { SignedIn } from '../sessions.js';
import type { HeaderFields } from '../../platform/http/response/reply.js';

/**
 * Lifetime of the session cookie from sign-in, in seconds. The server may end the session earlier, after a time without
 * use.
 */
const SESSION_SECONDS = SESSION_ABSOLUTE_MS / SECOND_MS;
const DEVICE_SECONDS = DEVICE_MS / SECOND_MS;

export type BrowserCookies = ReturnType<typeof createBrowserCookies>;

export function createBrowserCookies(publicUrl: string) {
  const names = cookieNames(publicUrl);
  const patterns = { session: cookiePattern(names.session), device: cookiePattern(names.device) };
  const flags = `Path=/; HttpOnly; SameSite=Strict${isSecure(publicUrl) ? '; Secure' : ''}`;
  const cookie = (name: string, value: string, seconds: number): HeaderFields => ({
    'Set-Cookie': `${name}=${value}; Max-Age=${seconds}; ${flags}`,
  });
  const knownDevice = (deviceToken: string): HeaderFields => cookie(names.device, deviceToken, DEVICE_SECONDS);
  return {
    /**
     * Returns the session token, or undefined if the cookie is missing. Throws AppError `invalid_request` if the
     * request has several different session tokens.
     */
    session(headers: IncomingHttpHeaders): string | undefined {
      const [token, ...others] = valuesOf(headers, patterns.session);
      if (others.length > 0)
        throw invalidField('Cookie', `${names.session} is given more than once, with different values`, 'one session');
      return token;
    },
    /** Returns the device token, or undefined if there is none or if there are several. */
    device(headers: IncomingHttpHeaders): string | undefined {
      const [token, ...others] = valuesOf(headers, patterns.device);
      return others.length > 0 ? undefined : token;
    },
    signedIn: ({ sessionToken, deviceToken }: Pick<SignedIn, 'sessionToken' | 'deviceToken'>): HeaderFields[] => [
      cookie(names.session, sessionToken, SESSION_SECONDS),
      knownDevice(deviceToken),
    ],
    knownDevice,
    /** Set-Cookie header that deletes the session cookie and keeps the device cookie. */
    signedOut: cookie(names.session, '', 0),
  };
}

function cookiePattern(name: string): RegExp {
  return new RegExp(`(?:^|;)\\s*${name}=([^;]*)`, 'g');
}

/**
 * Returns the distinct values that the request has for a cookie, without decoding them (RFC 6265, section 4.2). Node
 * joins several Cookie headers into one.
 */
function valuesOf({ cookie = '' }: IncomingHttpHeaders, pattern: RegExp): string[] {
  return [...new Set(Array.from(cookie.matchAll(pattern), ([, value = '']) => value.trimEnd()))];
}
