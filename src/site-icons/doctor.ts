// Doctor: checks whether icons of sites can be fetched from this machine.
import type { Env } from '../../config/env.js';
import { ok, warning, type Finding } from '../platform/doctor-finding.js';
import { resolveByDns, type ResolveHost } from '../platform/outgoing/resolve-host.js';
import { isPublicAddress } from '../platform/outgoing/public-address.js';

/** Host name that always exists. IANA reserves it for examples (RFC 2606). */
const KNOWN_HOST = 'example.com';
const CHECK = 'site icons';

/** Returns no findings while icons of sites are off. */
export async function siteIconFindings(
  { SITE_ICONS, HTTPS_PROXY }: Pick<Env, 'SITE_ICONS' | 'HTTPS_PROXY'>,
  resolve: ResolveHost = resolveByDns,
): Promise<readonly Finding[]> {
  if (SITE_ICONS === 'off') return [];
  const addresses = await resolve(KNOWN_HOST).catch(() => []);
  const isPublic = addresses.every(isPublicAddress);
  if (isPublic && HTTPS_PROXY !== '')
    return [ok(CHECK, 'They are fetched through HTTPS_PROXY, which must not reach private networks.')];
  if (addresses.length === 0)
    return [
      warning(
        CHECK,
        `The name servers of this machine do not know ${KNOWN_HOST}, so no icon can be fetched.`,
        'Correct the name servers in /etc/resolv.conf, or set HTTPS_PROXY.',
      ),
    ];
  if (isPublic) return [ok(CHECK, 'Names of sites resolve to public addresses.')];
  return [
    warning(
      CHECK,
      `${KNOWN_HOST} resolves to ${addresses.join(', ')}, which is not public: icons of sites are rejected.`,
      'Use name servers that return the addresses of sites, without DNS64.',
    ),
  ];
}
