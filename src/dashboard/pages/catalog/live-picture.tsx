// The picture at a URL, reloaded after each change, with its size in bytes or its error.
import { useState } from 'react';
import { Chips } from '../../components/chips.js';
import { ErrorNote } from '../../components/note.js';
import { formatNumber } from '../../format.js';
import { usePicture } from '../../hooks/use-picture.js';
import type { Format } from './parameters.js';
import { previewUrl } from '../../components/preview.js';

/** Backgrounds on which a picture can be viewed. */
export const BACKGROUNDS = ['light', 'dark', 'checkered'] as const;

interface Props {
  readonly slug: string;
  readonly title: string;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export function LivePicture({ slug, title, format, query }: Props) {
  const [background, setBackground] = useState<(typeof BACKGROUNDS)[number]>('checkered');
  // A download would display nothing.
  const { address, bytes, error, isFetching, retry } = usePicture(
    previewUrl(format, slug, { ...query, download: undefined }),
  );
  return (
    <div className="live">
      <div className={`live-background background-${background}`} aria-busy={isFetching}>
        {address !== undefined && (
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
          {bytes !== undefined && `${format.toUpperCase()}, ${formatNumber(bytes)} bytes`}
        </span>
      </div>
      <ErrorNote error={error} onRetry={retry} />
    </div>
  );
}
