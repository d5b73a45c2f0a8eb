// A publishable key as a segment of the path: its schema, and how long answers that it opens are cached.
import { z } from 'zod';
import { PUBLISHABLE_KEY_PATTERN } from './publishable-key.js';

/** The credential is a segment of the path, so that components take it as a part of the address. */
export const keyInPath = z.string().regex(PUBLISHABLE_KEY_PATTERN).meta({
  description: 'Publishable key.',
  example: 'blzp_7hGk2LmNp4QrExampleExampleExampleExampleExamp009fK2',
});

export const PUBLIC_CACHE = { 'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800' };
