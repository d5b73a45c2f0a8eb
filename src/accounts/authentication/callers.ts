// Callers, by the kind of credential.
import type { Client } from '../client-info.js';
import type { Credential } from '../credential.js';
import type { AccountId } from '../account.js';
import type { Tier } from '../plan.js';
import type { OwnerProof } from '../changes/reauthentication.js';
import type { Caller } from '../sessions.js';

/** Somebody with a key (whether it is right is not known yet), or who is signed in. */
export type Requester =
  | {
      readonly kind: 'key';
      readonly credential: Credential;
      /** To be called by whoever has found the key right, for the log. */
      readonly found: (tier: Tier) => void;
    }
  | { readonly kind: 'bearer'; readonly caller: Caller };

/** An account whose API key was checked, or whose owner is signed in. */
export interface AccountOwner {
  readonly accountId: AccountId;
  readonly tier: Tier;
  readonly proof: OwnerProof;
}

declare module '../../platform/http/route.js' {
  interface Callers {
    readonly bearer: { readonly caller: Caller };
    /** For pages of this service. */
    readonly cookie: { readonly caller: Caller };
    /** Undefined: the cookie's session has ended already. */
    readonly 'bearer-or-cookie': { readonly caller: Caller | undefined };
    /** For pages of this service, whether or not somebody is signed in. */
    readonly visitor: { readonly caller: Caller | undefined };
    /** The handler checks the key. */
    readonly 'key-or-bearer': { readonly requester: Requester };
    /** Nothing is counted. */
    readonly account: { readonly owner: AccountOwner };
    /** An API key only, which the handler checks; nothing is counted. */
    readonly 'own-key': { readonly requester: Requester };
  }

  interface Sender {
    readonly client: Client;
  }

  interface Keyed {
    readonly credential: Credential;
  }
}

export type { CallerKind, Callers } from '../../platform/http/route.js';
