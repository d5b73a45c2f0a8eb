// Cache of everything that was read, and its rules for trying again.
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError, isTemporary } from '../api/error.js';

const MAX_RETRIES = 2;
const MAX_WAIT_MS = 8_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Also offline: a request that fails at once is one that people can see fail.
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
 * Reads everything whose key starts with `queryKey` anew, after a change. Cancels requests that are under way first: they
 * may answer with the state before the change.
 */
export async function refetch(queryKey: QueryKey = []): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

/** By `Retry-After`, else longer each time. */
function waitMs(failures: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? 500 * 2 ** failures : seconds * 1000;
}
