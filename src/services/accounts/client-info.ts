// Client of a request: keys for rate limits and fairness, and what is recorded of it.
import { shortAddress, type AuditActor } from '../../domain/account/audit-event.js';
import type { AccountId } from '../../domain/account/account.js';
import type { ClientInfo } from '../../domain/account/session.js';
import type { HashTurn } from '../../ports/password-hasher.js';

export interface Client {
  /** For rate limits: the address, of IPv6 the /64. */
  readonly rateLimitKey: string;
  /** For the rotations in which previews are drawn and passwords of strangers are hashed: the address, of IPv6 the /48. */
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
