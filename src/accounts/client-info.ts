// Client of a request: keys for rate limits and fairness, and the recorded information.
import { shortAddress, type AuditActor } from './audit-event.js';
import type { AccountId } from './account.js';
import type { ClientInfo } from './session.js';
import type { HashTurn } from './password-hasher.js';
import { ipv6Prefix, parseIpAddress } from '../platform/web/ip-address.js';

export interface Client {
  /** Key of its rate limits (`rateLimitKey`). */
  readonly rateLimitKey: string;
  /** Key in the fair queues for drawing previews and for hashing passwords of unknown clients (`fairnessKey`). */
  readonly fairnessKey: string;
  readonly origin: ClientInfo;
  readonly actor: AuditActor;
  /** Device cookie, not verified. */
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

/** Returns the turn of an unproven client in the queue of password hashes. Addresses take turns. */
export function strangersTurn({ fairnessKey }: Client): HashTurn {
  return { lane: 'stranger', fairnessKey };
}

/**
 * Returns the turn of a client that has proven to belong to the account, by a session, device cookie, link or password.
 * It is never behind unproven clients.
 */
export function ownersTurn({ id }: { readonly id: AccountId }): HashTurn {
  return { lane: 'known', fairnessKey: id };
}

/**
 * Returns an IPv4 address unchanged (even when mapped into IPv6), and an IPv6 address as its /64. One household or
 * server gets a /64.
 */
export function rateLimitKey(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${ipv6Prefix(parsed.parts, 4)}::/64`;
}

/** Returns the key of a site: IPv6 as its /48, because a single machine may use every /64 of it. */
export function fairnessKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed?.family === 6 ? `${ipv6Prefix(parsed.parts, 3)}::/48` : rateLimitKey(address);
}
