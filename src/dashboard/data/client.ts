// Cache of all loaded data, and its rules for retries.
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError, isTemporary } from '../api/error.js';

const MAX_RETRIES = 2;
const MAX_WAIT_MS = 8_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // By default, requests wait while the browser is offline. Here they are sent anyway and fail at once, so that the
    // user sees the failure.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < MAX_RETRIES && isTemporary(error) && waitMs(failures, error) <= MAX_WAIT_MS,
      retryDelay: waitMs,
    },
  },
});

/**
 * Reloads all data with a key that starts with `queryKey`, after a change. First cancels running requests, because they
 * may return the state before the change.
 */
export async function refetch(queryKey: QueryKey = []): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

/** Returns the time to wait, which `Retry-After` states. Without this header, the time increases with each failure. */
function waitMs(failures: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? 500 * 2 ** failures : seconds * 1000;
}
