// Signing out of this browser.
import { send } from '../api/transport.js';
import { ApiError } from '../api/error.js';
import { end } from './session.js';

/** The cookie is what ends; without an answer the session is still there, and so is this page. Throws UnreachableError. */
export async function signOut(): Promise<void> {
  try {
    await send('/auth/logout', { method: 'POST', body: {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  end();
}
