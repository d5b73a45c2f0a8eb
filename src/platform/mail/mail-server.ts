// Settings of the mail server: URL, name for EHLO, and whether the connection must be encrypted.
import type { Env } from '../../../config/env.js';
import { isTlsOff, sendsCredentials } from '../../../config/urls.js';
import { parseIpAddress } from '../web/ip-address.js';
import type { SmtpServer } from './mailers.js';

/** Returns the settings, or undefined if mails are written to files. */
export function mailServerOf({
  SMTP_URL: url,
  SMTP_NAME,
  PUBLIC_URL,
}: Pick<Env, 'SMTP_URL' | 'SMTP_NAME' | 'PUBLIC_URL'>): SmtpServer | undefined {
  if (url === '') return undefined;
  const tls = isTlsOff(url) ? 'off' : sendsCredentials(url) ? 'required' : 'offered';
  return { url, tls, name: SMTP_NAME === '' ? ehloName(new URL(PUBLIC_URL).hostname) : SMTP_NAME };
}

/** Returns the host name for EHLO. For an IP address, returns an address literal (RFC 5321, section 4.1.3). */
function ehloName(hostname: string): string {
  if (parseIpAddress(hostname)?.family === 4) return `[${hostname}]`;
  return hostname.replace(/^\[/, '[IPv6:');
}
