// Schema of a slug.
import { z } from 'zod';
import { SLUG_PATTERN } from '../../web/slug.js';

export const slugField = z
  .string()
  .regex(SLUG_PATTERN)
  .meta({ description: 'Slug of the entry: its name in URLs.', example: 'github' });
