// The two cookies, session and trusted device. Scripts can read neither (HttpOnly).
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

/**
 * `__Host-`: only this host may set it, over https, for all paths (RFC 6265bis, section 4.1.3.2). Plain http is for
 * localhost, or by INSECURE_HTTP. Browsers send the cookies of a host to all of its ports (section 8.5), so the name has
 * the port: two services on one host would overwrite each other's cookies.
 */
export function cookieNames(publicUrl: string): { readonly session: string; readonly device: string } {
  const { port } = new URL(publicUrl);
  const prefix = isSecure(publicUrl) ? '__Host-' : '';
  const suffix = port === '' ? '' : `_${port}`;
  return { session: `${prefix}blazon_session${suffix}`, device: `${prefix}blazon_device${suffix}` };
}

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

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
