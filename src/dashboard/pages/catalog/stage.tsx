// The picture of an entry with the chosen settings, on the chosen page background.
import { ErrorNote } from '../../components/note.js';
import { previewUrl } from '../../components/preview.js';
import { Segments } from '../../components/segments.js';
import type { Entry } from '../../data/queries.js';
import { formatNumber } from '../../format.js';
import { usePicture } from '../../hooks/use-picture.js';
import { settings } from '../../settings.js';
import type { Format } from './parameters.js';
import type { Ground } from './use-settings.js';

const GROUND_OPTIONS = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['transparent', 'Transparent'],
] as const;

interface Props {
  readonly entry: Entry;
  readonly format: Format;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** True if the visitor may only see a smaller picture than the chosen one. */
  readonly isSmaller: boolean;
  readonly ground: Ground;
  readonly onGround: (ground: Ground) => void;
}

export function Stage({ entry: { slug, title }, format, query, isSmaller, ground, onGround }: Props) {
  // Omits `download`, because a download would display nothing.
  const path = previewUrl(format, slug, { ...query, download: undefined });
  const { address, bytes, error, isFetching, retry } = usePicture(path);
  return (
    <section className="stage" aria-label="Picture">
      <div className={`stage-picture background-${ground}`} aria-busy={isFetching}>
        {address !== undefined && <img src={address} alt={title} data-testid="live-picture" />}
      </div>
      <div className="stage-foot">
        <Segments label="Page background" options={GROUND_OPTIONS} value={ground} onValue={onGround} />
        <span className="hint tabular" role="status">
          {bytes !== undefined && `${format.toUpperCase()}, ${formatNumber(bytes)} bytes`}
        </span>
      </div>
      {isSmaller && (
        <p className="hint">
          Sign in to see larger pictures. Without an account, previews have at most {settings.maxVisitorSide} px.
        </p>
      )}
      <ErrorNote error={error} onRetry={retry} />
    </section>
  );
}
