// Types of callers, one for each kind of credential that a route can accept.
import type { Client } from '../client-info.js';
import type { Credential } from '../credential.js';
import type { AccountId } from '../account.js';
import type { Tier } from '../plan.js';
import type { OwnerProof } from '../changes/reauthentication.js';
import type { Caller } from '../sessions.js';

/** Signed-in customer, or client with a well-formed API key. The API key is not verified yet. */
export type Requester =
  | {
      readonly kind: 'key';
      readonly credential: Credential;
      /** Adds the account and its tier to the log line. Must be called as soon as the key is verified. */
      readonly found: (tier: Tier) => void;
    }
  | { readonly kind: 'bearer'; readonly caller: Caller };

/** Account with a verified API key, or with a signed-in owner. */
export interface AccountOwner {
  readonly accountId: AccountId;
  readonly tier: Tier;
  readonly proof: OwnerProof;
}

declare module '../../platform/http/route.js' {
  interface Callers {
    readonly bearer: { readonly caller: Caller };
    /** Session cookie, sent by pages of this service. */
    readonly cookie: { readonly caller: Caller };
    /** Access token or session cookie. `caller` is undefined if the cookie's session has already ended. */
    readonly 'bearer-or-cookie': { readonly caller: Caller | undefined };
    /**
     * Session cookie or no credential, for pages of this service. `caller` is undefined if the visitor is not signed
     * in.
     */
    readonly visitor: { readonly caller: Caller | undefined };
    /** API key or access token. The handler must verify an API key. An access token is already verified. */
    readonly 'key-or-bearer': { readonly requester: Requester };
    /** API key or access token, verified before the handler runs. The request does not count against the quota. */
    readonly account: { readonly owner: AccountOwner };
    /** API key only. The handler must verify the key. The request does not count against the quota. */
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
