// The picture of a catalog entry, loaded from the dashboard's routes and not from the API. Failed requests are
// repeated.
import { useEffect, useState } from 'react';
import { Icon } from './icon.js';
import { queryText } from '../data/call.js';

const RETRIES = 3;
const RETRY_MS = 1500;

interface Props {
  readonly slug: string;
  readonly alt: string;
  /** Side in px. */
  readonly size: number;
  /** Parameters of the picture, except its size. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly lazy?: boolean;
  /**
   * If true, the picture keeps its aspect ratio, and its container decides its size, up to the height `size`. If false,
   * the picture is a square of `size`.
   */
  readonly isWide?: boolean;
}

export function previewUrl(format: string, slug: string, query: Readonly<Record<string, string | undefined>>): string {
  return `/dashboard/${format}/${encodeURIComponent(slug)}${queryText(query)}`;
}

export function Preview({ slug, alt, size, query, lazy = false, isWide = false }: Props) {
  const [failures, setFailures] = useState(0);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!isBroken) return undefined;
    const again = (): void => setBroken(false);
    const timer = failures <= RETRIES ? setTimeout(again, RETRY_MS * failures) : undefined;
    // Retries at once when the connection is back.
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [isBroken, failures]);
  if (isBroken && failures > RETRIES)
    return <Icon name="broken-picture" size={size / 2} label={alt} className="faint" />;
  // Replaces the browser's icon for a broken picture.
  if (isBroken) return <span className="skeleton" style={{ width: size, height: size }} />;
  return (
    <img
      src={previewUrl('svg', slug, { ...query, ...(!isWide && { size: String(size) }) })}
      width={isWide ? undefined : size}
      height={size}
      alt={alt}
      loading={lazy ? 'lazy' : undefined}
      decoding="async"
      onError={() => {
        setFailures(failures + 1);
        setBroken(true);
      }}
    />
  );
}
