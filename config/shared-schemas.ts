// Schemas that are used for several variables.
import { z } from 'zod';

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, { error: `a whole number from ${minimum} to ${maximum}` })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error: `a whole number from ${minimum} to ${maximum}` });

/** Returns the schema of a list whose items are separated by commas. */
export const list = (isItem: (text: string) => boolean, error: string) =>
  z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',').map((item) => item.trim())))
    .refine((items) => items.every(isItem), { error });
