// Client of a request: keys for rate limits and fair queues, and the information that sessions and events store.
import { shortAddress, type AuditActor } from './audit-event.js';
import type { AccountId } from './account.js';
import type { ClientInfo } from './session.js';
import type { HashTurn } from './password-hasher.js';
import { ipv6Prefix, parseIpAddress } from '../platform/web/ip-address.js';

export interface Client {
  readonly rateLimitKey: string;
  /**
   * Key of the client in fair queues, made by `fairnessKey`. The queues of previews and of password hashes for unknown
   * clients use it.
   */
  readonly fairnessKey: string;
  readonly origin: ClientInfo;
  readonly actor: AuditActor;
  /** Value of the device cookie, not verified. */
  readonly deviceToken: string | undefined;
}

interface ClientRequest extends Pick<Client, 'rateLimitKey' | 'fairnessKey' | 'deviceToken'> {
  readonly address: string;
  readonly userAgent: string | undefined;
}

const MAX_USER_AGENT = 256;

export function createClient({ address, userAgent, ...rest }: ClientRequest): Client {
  const short = shortAddress(address);
  return {
    ...rest,
    origin: { userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: short },
    actor: { kind: 'customer', address: short },
  };
}

/**
 * Returns the queue position of an unknown client that needs a password hash. Requests from different networks
 * alternate in the queue.
 */
export function strangersTurn({ fairnessKey }: Client): HashTurn {
  return { lane: 'stranger', fairnessKey };
}

/**
 * Returns the queue position of a client that has proven to belong to the account, by a session, device cookie, link or
 * password. Unknown clients have a separate queue.
 */
export function ownersTurn({ id }: { readonly id: AccountId }): HashTurn {
  return { lane: 'known', fairnessKey: id };
}

/**
 * Returns an IPv4 address unchanged (also if mapped into IPv6), and an IPv6 address as its /64 network. One household
 * or server usually has a /64.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${ipv6Prefix(parsed.parts, 4)}::/64`;
}

/**
 * Returns the key of a network: an IPv6 address as its /48, because one machine may use every /64 of a /48. For all
 * other addresses, returns the same as `rateLimitKey`.
 */
export function fairnessKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed?.family === 6 ? `${ipv6Prefix(parsed.parts, 3)}::/48` : rateLimitKey(address);
}
