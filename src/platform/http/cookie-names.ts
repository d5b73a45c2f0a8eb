// Cookie names of a deployment.

/**
 * Returns the cookie names. The prefix `__Host-` makes browsers accept the cookie only from this host, over https, for
 * all paths (RFC 6265bis, section 4.1.3.2). Names for plain http, which is allowed on localhost and with INSECURE_HTTP,
 * have no prefix. Browsers send a host's cookies to all its ports (RFC 6265bis, section 8.5). A name contains the port,
 * so that two services on one host don't overwrite each other's cookies.
 */
export function cookieNames(publicUrl: string): { readonly session: string; readonly device: string } {
  const { port } = new URL(publicUrl);
  const prefix = isSecure(publicUrl) ? '__Host-' : '';
  const suffix = port === '' ? '' : `_${port}`;
  return { session: `${prefix}blazon_session${suffix}`, device: `${prefix}blazon_device${suffix}` };
}

export function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}
