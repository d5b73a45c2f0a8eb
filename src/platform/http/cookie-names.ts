// Cookie names of a deployment.

/**
 * Returns the cookie names. With the prefix `__Host-`, only this host can set the cookie, over https, for all paths
 * (RFC 6265bis, section 4.1.3.2). For plain http, which is allowed on localhost and with INSECURE_HTTP, the names have
 * no prefix. Browsers send a host's cookies to all its ports (section 8.5), so the name contains the port. Otherwise
 * two services on one host would overwrite each other's cookies.
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
