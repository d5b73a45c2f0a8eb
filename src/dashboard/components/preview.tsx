// A picture of the catalog, from the dashboard's own routes; one that was throttled or lost is tried again.
import { useEffect, useState } from 'react';
import { queryText } from '../data/call.js';
import { Icon } from './icon.js';

const RETRIES = 3;
const RETRY_MS = 1500;

interface Props {
  readonly slug: string;
  readonly alt: string;
  /** px */
  readonly size: number;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly lazy?: boolean;
}

export function previewUrl(format: string, slug: string, query: Props['query'] = {}): string {
  return `/dashboard/${format}/${encodeURIComponent(slug)}${queryText(query)}`;
}

export function Preview({ slug, alt, size, query, lazy = true }: Props) {
  const [failures, setFailures] = useState(0);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!isBroken) return undefined;
    const again = (): void => setBroken(false);
    const timer = failures <= RETRIES ? setTimeout(again, RETRY_MS * failures) : undefined;
    // Of a connection that was away.
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [isBroken, failures]);
  if (isBroken && failures > RETRIES)
    return <Icon name="broken-picture" size={size / 2} label={alt} className="faint" />;
  // In the place of the browser's sign for a broken picture.
  if (isBroken) return <span className="skeleton" style={{ width: size, height: size }} />;
  return (
    <img
      src={previewUrl('svg', slug, query)}
      width={size}
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
