// Schemas of common values, with an example each: documentation tools otherwise invent one.
import { z } from 'zod';

export const moment = z.iso.datetime().meta({ example: '2026-11-21T16:48:03.120Z' });
export const day = z.iso.date().meta({ example: '2026-11-21' });
export const count = z.int().min(0).meta({ example: 42 });
