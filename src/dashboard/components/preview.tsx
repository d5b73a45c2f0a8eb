// A picture of the catalog, from the dashboard's own routes; one that was throttled or lost is tried again.
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { queryText } from '../data/call.js';

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
  const [attempt, setAttempt] = useState(0);
  if (attempt > RETRIES) return <ImageOff size={size / 2} aria-label={alt} role="img" className="faint" />;
  return (
    <img
      key={attempt}
      src={previewUrl('svg', slug, query)}
      width={size}
      height={size}
      alt={alt}
      loading={lazy ? 'lazy' : undefined}
      decoding="async"
      onError={() => setTimeout(() => setAttempt(attempt + 1), RETRY_MS * (attempt + 1))}
    />
  );
}
