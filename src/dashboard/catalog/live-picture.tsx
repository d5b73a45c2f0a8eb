// The picture that an address gives, drawn again with each change, with its size in bytes or what is wrong.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { send } from '../api/transport.js';
import { previewUrl } from '../components/preview.js';
import { ErrorNote } from '../components/note.js';
import { formatNumber } from '../format.js';
import { useSettled } from '../hooks/use-settled.js';
import type { Format } from './parameters.js';

const SETTLED_MS = 180;
export const GROUNDS = ['light', 'dark', 'checkered'] as const;
export type Ground = (typeof GROUNDS)[number];

interface Props {
  readonly slug: string;
  readonly title: string;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export function LivePicture({ slug, title, format, query }: Props) {
  const [ground, setGround] = useState<Ground>('checkered');
  // A download shows nothing.
  const url = useSettled(previewUrl(format, slug, { ...query, download: undefined }), SETTLED_MS);
  const picture = useQuery({
    queryKey: ['picture', url],
    queryFn: async ({ signal }) => (await send(url, { signal })).blob(),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const address = useObjectUrl(picture.data);
  return (
    <div className="live">
      <div className={`live-ground ground-${ground}`} aria-busy={picture.isFetching}>
        {address !== undefined && !picture.error && (
          <img src={address} alt={`${title} with the chosen parameters`} data-testid="live-picture" />
        )}
      </div>
      <div className="live-foot">
        <div className="chips" role="group" aria-label="Ground of the picture">
          {GROUNDS.map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={ground === each}
              onClick={() => setGround(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <span className="hint tabular" role="status">
          {picture.data && !picture.error && `${format.toUpperCase()}, ${formatNumber(picture.data.size)} bytes`}
        </span>
      </div>
      <ErrorNote error={picture.error} onRetry={() => void picture.refetch()} />
    </div>
  );
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
