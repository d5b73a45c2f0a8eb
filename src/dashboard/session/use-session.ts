// The state of the session for components.
import { useSyncExternalStore } from 'react';
import { sessionState, subscribe, type SessionState } from './session.js';

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}
