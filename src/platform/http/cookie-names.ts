// Names of the cookies of a deployment.

/**
 * Returns the cookie names. `__Host-`: only this host may set it, over https, for all paths (RFC 6265bis, section
 * 4.1.3.2). Plain http is for localhost, or by INSECURE_HTTP. Browsers send a host's cookies to all of its ports
 * (section 8.5), so the name contains the port. Otherwise two services on one host would overwrite each other's
 * cookies.
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
