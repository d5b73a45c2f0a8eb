// Client of a request: keys for rate limits and fairness, and what is recorded of it.
import { shortAddress, type AuditActor } from './audit-event.js';
import type { AccountId } from './account.js';
import type { ClientInfo } from './session.js';
import type { HashTurn } from './password-hasher.js';
import { ipv6Prefix, parseIpAddress } from '../platform/web/ip-address.js';

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

/** Place in the queue of password hashes of a client that has proven nothing: addresses take turns. */
export function strangersTurn({ fairnessKey }: Client): HashTurn {
  return { lane: 'stranger', fairnessKey };
}

/** Place of a client that has proven to belong to the account, by a session, device cookie, link or password: never behind strangers. */
export function ownersTurn({ id }: { readonly id: AccountId }): HashTurn {
  return { lane: 'known', fairnessKey: id };
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
