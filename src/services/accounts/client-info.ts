// Client of a request: keys for rate limits and fairness, and what is recorded of it.
import { shortAddress, type AuditActor } from '../../domain/account/audit-event.js';
import type { ClientInfo } from '../../domain/account/session.js';

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
