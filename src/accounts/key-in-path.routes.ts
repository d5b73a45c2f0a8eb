// Publishable key as a path segment: its schema, and the cache lifetime of the responses.
import { z } from 'zod';
import { PUBLISHABLE_KEY_PATTERN } from './publishable-key.js';

/** The key is part of the path because UI components often accept only a base URL, without a query or headers. */
export const keyInPath = z.string().regex(PUBLISHABLE_KEY_PATTERN).meta({
  description: 'Publishable key.',
  example: 'blzp_7hGk2LmNp4QrExampleExampleExampleExampleExamp009fK2',
});

export const PUBLIC_CACHE = { 'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800' };
