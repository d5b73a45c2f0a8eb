// The other end of a request, as far as accounts need to know it.
import { shortAddress, type AuditActor } from '../../domain/account/audit-event.js';
import type { Origin } from '../../domain/account/session.js';

export interface Client {
  /** What budgets are kept for: the address, of IPv6 the /64. */
  readonly budgetAddress: string;
  /** What takes its turn when passwords are hashed: the address, of IPv6 the /48. */
  readonly turnAddress: string;
  readonly origin: Origin;
  readonly actor: AuditActor;
  /** The device cookie, unchecked. */
  readonly deviceToken: string | undefined;
}

interface Seen {
  readonly address: string;
  readonly budgetAddress: string;
  readonly turnAddress: string;
  readonly userAgent: string | undefined;
  readonly deviceToken: string | undefined;
}

const MAX_USER_AGENT = 256;

export function clientOf({ address, budgetAddress, turnAddress, userAgent, deviceToken }: Seen): Client {
  const short = shortAddress(address);
  return {
    budgetAddress,
    turnAddress,
    origin: { userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: short },
    actor: { kind: 'customer', address: short },
    deviceToken,
  };
}
