// Session of this browser: an access token in memory, renewed once for all tabs, and ended in all of them.
import { createStore, useStore } from '../store.js';
import { ApiError, isApiError, SignedOutError } from './error.js';
import type { components } from './openapi.js';
import { send } from './transport.js';

type Access = components['schemas']['Access'];

/** `unknown`: not asked yet. `expired`: it ended by itself; the page stays, and asks for the password. */
type SessionState = 'unknown' | 'signed-in' | 'signed-out' | 'expired';

interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
}

type Message =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'signed-out' }
  /** A sign-in, perhaps to another account. */
  | { readonly kind: 'signed-in'; readonly token: Token };

/** A token is renewed before a request could meet its end. */
const RENEW_BEFORE_MS = 30_000;
/** Longer, and the tab that holds the lock is taken for dead. */
const LOCK_WAIT_MS = 5_000;
/** Wait for the token of the tab that held the lock before. */
const MESSAGE_WAIT_MS = 150;
/** Item of the storage: a session may be there; scripts cannot read its cookie. */
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

/** It is worth asking the service for a session. */
export function mayBeSignedIn(): boolean {
  return stored(() => localStorage.getItem(HINT)) === '1';
}

/** After a sign-in or registration in this tab. */
export function begin(access: Access): void {
  const begun = tokenOf(access);
  stored(() => localStorage.setItem(HINT, '1'));
  change('signed-in', begun, true);
  channel?.postMessage({ kind: 'signed-in', token: begun } satisfies Message);
}

/** Ends the session in this tab and in all others of this browser. */
export function end(): void {
  stored(() => localStorage.removeItem(HINT));
  change('signed-out', undefined);
  channel?.postMessage({ kind: 'signed-out' } satisfies Message);
}

/** The cookie is what ends; without an answer the session is still there, and so is this page. Throws UnreachableError. */
export async function signOut(): Promise<void> {
  try {
    await send('/auth/logout', { method: 'POST', body: {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  end();
}

/** Renews the session if there probably is one, or `always`. */
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

/** Throws SignedOutError, ApiError, UnreachableError. `rejected`: a token that the service did not accept. */
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
    // Another tab has renewed it meanwhile.
    if (token && token.value !== before) return token.value;
    try {
      const response = await send('/auth/refresh', { method: 'POST', body: {} });
      const renewed = tokenOf((await response.json()) as Access);
      change('signed-in', renewed);
      channel?.postMessage({ kind: 'token', token: renewed } satisfies Message);
      return renewed.value;
    } catch (error) {
      if (!isApiError(error, 'session_ended')) throw error;
      // Without a session before, nothing is lost.
      change(session.get() === 'signed-in' ? 'expired' : 'signed-out', undefined);
      stored(() => localStorage.removeItem(HINT));
      throw new SignedOutError(undefined, { cause: error });
    }
  });
}

/** One tab at a time where the browser can do so; without it, two tabs renew twice, which does no harm. */
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

/** `isNew`: it may be another account's. */
function change(next: SessionState, nextToken: Token | undefined, isNew = false): void {
  token = nextToken;
  if (session.get() !== next || isNew) session.set(next);
}

/** Storage may be blocked, which costs one request per visit. */
function stored<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
