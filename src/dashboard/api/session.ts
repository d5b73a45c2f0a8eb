// Session of this browser. The access token is kept only in memory. One tab renews it for all tabs. A sign-out in one
// tab ends the session in all tabs.
import { createStore, useStore } from '../store.js';
import { ApiError, isApiError, SignedOutError } from './error.js';
import type { components } from './openapi.js';
import { send } from './transport.js';

type Access = components['schemas']['Access'];

/**
 * `unknown`: the session was not requested yet. `expired`: the session reached its age limit. The page stays visible and
 * asks for the password.
 */
type SessionState = 'unknown' | 'signed-in' | 'signed-out' | 'expired';

interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
}

type Message =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'signed-out' }
  /** Token of a new sign-in, possibly to another account. */
  | { readonly kind: 'signed-in'; readonly token: Token };

/** A token is renewed this many ms before it expires, so that no token expires during a request. */
const RENEW_BEFORE_MS = 30_000;
/** Maximum time in ms to wait for the lock that the renewing tab holds. After this time, that tab counts as dead. */
const LOCK_WAIT_MS = 5_000;
/** Time in ms to wait for the message with the new token, which the previous holder of the lock sends. */
const MESSAGE_WAIT_MS = 150;
/**
 * Storage item that says that a session may exist. It is necessary because scripts cannot read the session's cookie.
 */
const HINT = 'blazon-signed-in';

export const session = createStore<SessionState>('unknown');
let token: Token | undefined;
let renewing: Promise<string> | undefined;
const channel = 'BroadcastChannel' in window ? new BroadcastChannel('blazon-session') : undefined;

channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'signed-out') change('signed-out', undefined);
  else change('signed-in', data.token, data.kind === 'signed-in');
});

export function useSession(): SessionState {
  return useStore(session);
}

/** Returns true if requesting a session from the service is worthwhile. */
export function mayBeSignedIn(): boolean {
  return stored(() => localStorage.getItem(HINT)) === '1';
}

/** Must be called after a sign-in or registration in this tab. */
export function begin(access: Access): void {
  const begun = tokenOf(access);
  stored(() => localStorage.setItem(HINT, '1'));
  change('signed-in', begun, true);
  channel?.postMessage({ kind: 'signed-in', token: begun } satisfies Message);
}

/** Ends the session in all tabs of this browser. */
export function end(): void {
  stored(() => localStorage.removeItem(HINT));
  change('signed-out', undefined);
  channel?.postMessage({ kind: 'signed-out' } satisfies Message);
}

/**
 * Signs out at the service, then in all tabs. If the request fails, throws ApiError or UnreachableError, and all tabs
 * stay signed in, because the session may still exist.
 */
export async function signOut(): Promise<void> {
  try {
    await send('/auth/logout', { method: 'POST', body: {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  end();
}

/** Renews the session if this browser probably has one. With `always`, tries to renew it in any case. */
export async function restore(always: boolean): Promise<void> {
  if (session.get() === 'signed-in') return;
  if (!always && !mayBeSignedIn()) {
    change('signed-out', undefined);
    return;
  }
  await accessToken().catch((error: unknown) => {
    if (!(error instanceof SignedOutError)) throw error;
  });
}

/**
 * Returns an access token. `rejected` is a token that the service did not accept. Throws SignedOutError, ApiError and
 * UnreachableError.
 */
export async function accessToken(rejected?: string): Promise<string> {
  if (token && token.value !== rejected && token.expiresAtMs - Date.now() > RENEW_BEFORE_MS) return token.value;
  if (session.get() === 'expired') throw new SignedOutError();
  renewing ??= renew().finally(() => (renewing = undefined));
  return renewing;
}

async function renew(): Promise<string> {
  const before = token?.value;
  return locked(async (waited) => {
    if (waited) await new Promise((resolve) => setTimeout(resolve, MESSAGE_WAIT_MS));
    // While this tab waited, another tab has renewed the token.
    if (token && token.value !== before) return token.value;
    try {
      const response = await send('/auth/refresh', { method: 'POST', body: {} });
      const renewed = tokenOf((await response.json()) as Access);
      change('signed-in', renewed);
      channel?.postMessage({ kind: 'token', token: renewed } satisfies Message);
      return renewed.value;
    } catch (error) {
      if (!isApiError(error, 'session_ended')) throw error;
      // If nobody was signed in, the user loses nothing, so the state is `signed-out` and not `expired`.
      change(session.get() === 'signed-in' ? 'expired' : 'signed-out', undefined);
      stored(() => localStorage.removeItem(HINT));
      throw new SignedOutError(undefined, { cause: error });
    }
  });
}

/**
 * Runs the work in one tab at a time if the browser supports locks. Without locks, two tabs may both renew the session,
 * which is harmless.
 */
async function locked<Result>(work: (waited: boolean) => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (!locks) return work(false);
  const progress = { begun: false };
  const run = (waited: boolean): Promise<Result> => {
    progress.begun = true;
    return work(waited);
  };
  const free = await locks.request('blazon-session', { ifAvailable: true }, async (lock) =>
    lock ? { result: await run(false) } : undefined,
  );
  if (free) return free.result;
  try {
    const signal = AbortSignal.timeout(LOCK_WAIT_MS);
    return await locks.request('blazon-session', { signal }, () => run(true));
  } catch (error) {
    if (progress.begun) throw error;
    return run(false);
  }
}

function tokenOf({ accessToken: value, expiresIn }: Access): Token {
  return { value, expiresAtMs: Date.now() + expiresIn * 1000 };
}

/** `isNew` is true if the session may belong to another account. */
function change(next: SessionState, nextToken: Token | undefined, isNew = false): void {
  token = nextToken;
  if (session.get() !== next || isNew) session.set(next);
}

/** Returns the result of `access`, or undefined if storage is blocked. */
function stored<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
