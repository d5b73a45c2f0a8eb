// Client of a request: keys for rate limits and fair queues, and the information that sessions and events store.
import { shortAddress, type AuditActor } from './audit-event.js';
import type { AccountId } from './account.js';
import type { ClientInfo } from './session.js';
import type { HashTurn } from './password-hasher.js';
import { ipv6Prefix, parseIpAddress } from '../platform/web/ip-address.js';

export interface Client {
  readonly rateLimitKey: string;
  /**
   * Key that the function `fairnessKey` returns. It identifies the client in the fair queues of previews. It also
   * identifies an unknown client in the queue of password hashes.
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
 * Returns the queue and the fairness key for hashing a password of an unknown client. In this queue, requests from
 * different networks alternate.
 */
export function strangersTurn({ fairnessKey }: Client): HashTurn {
  return { lane: 'stranger', fairnessKey };
}

/**
 * Returns the queue and the fairness key for hashing a password of a known client. A known client has shown a session,
 * device cookie, link or password of the account. Unknown clients have a separate queue.
 */
export function ownersTurn({ id }: { readonly id: AccountId }): HashTurn {
  return { lane: 'known', fairnessKey: id };
}

/**
 * Returns an IPv4 address in dotted form, even if it is mapped into IPv6 (`::ffff:192.0.2.1`). Returns the /64 network
 * of any other IPv6 address, because one household or server usually has a /64. Returns `unknown` for any other text.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${ipv6Prefix(parsed.parts, 4)}::/64`;
}

/**
 * Returns the /48 network of an IPv6 address, because one machine may use every /64 of a /48. For all other addresses,
 * returns `rateLimitKey`.
 */
export function fairnessKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed?.family === 6 ? `${ipv6Prefix(parsed.parts, 3)}::/48` : rateLimitKey(address);
}
