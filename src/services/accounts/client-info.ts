// Client of a request: keys for rate limits and fairness, and what is recorded of it.
import { shortAddress, type AuditActor } from '../../domain/account/audit-event.js';
import type { ClientInfo } from '../../domain/account/session.js';
import { ipv6Prefix, parseIpAddress } from '../../domain/web/ip-address.js';

export interface Client {
  /** Name of its rate limits (`rateLimitKey`). */
  readonly rateLimitKey: string;
  /** Name in the rotations in which previews are drawn and passwords of strangers are hashed (`fairnessKey`). */
  readonly fairnessKey: string;
  readonly origin: ClientInfo;
  readonly actor: AuditActor;
  /** The device cookie, unchecked. */
  readonly deviceToken: string | undefined;
}

interface ClientRequest {
  readonly address: string;
  readonly rateLimitKey: string;
  readonly fairnessKey: string;
  readonly userAgent: string | undefined;
  readonly deviceToken: string | undefined;
}

const MAX_USER_AGENT = 256;

export function createClient({ address, rateLimitKey, fairnessKey, userAgent, deviceToken }: ClientRequest): Client {
  const short = shortAddress(address);
  return {
    rateLimitKey,
    fairnessKey,
    origin: { userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: short },
    actor: { kind: 'customer', address: short },
    deviceToken,
  };
}

/** IPv4 as it is (also when mapped into IPv6), IPv6 by its /64: that is what one household or server gets. */
export function rateLimitKey(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${ipv6Prefix(parsed.parts, 4)}::/64`;
}

/** A site: IPv6 by its /48, because a single machine may come from every /64 of it. */
export function fairnessKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed?.family === 6 ? `${ipv6Prefix(parsed.parts, 3)}::/48` : rateLimitKey(address);
}
