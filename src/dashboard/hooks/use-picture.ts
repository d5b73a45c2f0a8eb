// A picture that is requested again after each change of its URL. The previous picture stays until the new one has
// arrived.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { send } from '../api/transport.js';
import { useDebounced } from './use-debounced.js';
import { useObjectUrl } from './use-object-url.js';

const DEBOUNCE_MS = 180;

export function usePicture(path: string) {
  const url = useDebounced(path, DEBOUNCE_MS);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['picture', url],
    queryFn: async ({ signal }) => (await send(url, { signal })).blob(),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const address = useObjectUrl(data);
  const shown = error ? undefined : data;
  return { address: shown && address, bytes: shown?.size, error, isFetching, retry: () => void refetch() };
}
