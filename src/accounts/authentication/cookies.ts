// The two cookies, session and trusted device. Scripts can read neither (HttpOnly).
import { cookieNames, isSecure } from '../../platform/http/cookie-names.js';
import type { IncomingHttpHeaders } from 'node:http';
import { DEVICE_MS } from '../trusted-device.js';
import { SESSION_ABSOLUTE_MS } from '../session.js';
import { SECOND_MS } from '../../platform/time.js';
import { invalidField } from '../../platform/errors.js';
import type { SignedIn } from '../sessions.js';
import type { HeaderFields } from '../../platform/http/response/reply.js';

/** Cookies begin with the session. Idle ones end earlier, which is not for the browser to decide. */
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
    /** Throws AppError `invalid_request` when there are several: which one is meant is undefined. */
    session(headers: IncomingHttpHeaders): string | undefined {
      const [token, ...others] = valuesOf(headers, patterns.session);
      if (others.length > 0)
        throw invalidField('Cookie', `${names.session} is given more than once, with different values`, 'one session');
      return token;
    },
    /** None when there are several. */
    device(headers: IncomingHttpHeaders): string | undefined {
      const [token, ...others] = valuesOf(headers, patterns.device);
      return others.length > 0 ? undefined : token;
    },
    signedIn: ({ sessionToken, deviceToken }: Pick<SignedIn, 'sessionToken' | 'deviceToken'>): HeaderFields[] => [
      cookie(names.session, sessionToken, SESSION_SECONDS),
      knownDevice(deviceToken),
    ],
    knownDevice,
    /** The device stays known. */
    signedOut: cookie(names.session, '', 0),
  };
}

function cookiePattern(name: string): RegExp {
  return new RegExp(`(?:^|;)\\s*${name}=([^;]*)`, 'g');
}

/** The different values under a name, as they stand there (RFC 6265, section 4.2). Node has joined repeated fields. */
function valuesOf({ cookie = '' }: IncomingHttpHeaders, pattern: RegExp): string[] {
  return [...new Set(Array.from(cookie.matchAll(pattern), ([, value = '']) => value.trimEnd()))];
}
