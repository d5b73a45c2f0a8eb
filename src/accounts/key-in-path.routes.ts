// Publishable key as a path segment: its schema, and how long its responses are cached.
import { z } from 'zod';
import { PUBLISHABLE_KEY_PATTERN } from './publishable-key.js';

/** The key is a path segment, so that components accept it as part of the address. */
export const keyInPath = z.string().regex(PUBLISHABLE_KEY_PATTERN).meta({
  description: 'Publishable key.',
  example: 'blzp_7hGk2LmNp4QrExampleExampleExampleExampleExamp009fK2',
});

export const PUBLIC_CACHE = { 'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800' };
