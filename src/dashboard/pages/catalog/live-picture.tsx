// The picture that an address gives, drawn again with each change, with its size in bytes or what is wrong.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/transport.js';
import { Chips } from '../../components/chips.js';
import { ErrorNote } from '../../components/note.js';
import { formatNumber } from '../../format.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';
import type { Format } from './parameters.js';
import { previewUrl } from '../../components/preview.js';

const DEBOUNCE_MS = 180;
/** Backgrounds on which a picture can be looked at. */
export const BACKGROUNDS = ['light', 'dark', 'checkered'] as const;

interface Props {
  readonly slug: string;
  readonly title: string;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export function LivePicture({ slug, title, format, query }: Props) {
  const [background, setBackground] = useState<(typeof BACKGROUNDS)[number]>('checkered');
  // A download shows nothing.
  const url = useDebounced(previewUrl(format, slug, { ...query, download: undefined }), DEBOUNCE_MS);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['picture', url],
    queryFn: async ({ signal }) => (await send(url, { signal })).blob(),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const address = useObjectUrl(data);
  return (
    <div className="live">
      <div className={`live-background background-${background}`} aria-busy={isFetching}>
        {address !== undefined && !error && (
          <img src={address} alt={`${title} with the chosen parameters`} data-testid="live-picture" />
        )}
      </div>
      <div className="live-foot">
        <Chips
          label="Background of the picture"
          values={BACKGROUNDS}
          isPressed={(each) => each === background}
          onPress={setBackground}
        />
        <span className="hint tabular" role="status">
          {data && !error && `${format.toUpperCase()}, ${formatNumber(data.size)} bytes`}
        </span>
      </div>
      <ErrorNote error={error} onRetry={() => void refetch()} />
    </div>
  );
}
