// Requests of an OpenAPI document, one for each operation.
import { z } from 'zod';

const operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z
    .array(z.object({ name: z.string(), schema: z.object({ example: z.unknown().optional() }) }))
    .default([]),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

export interface Operation {
  readonly method: string;
  /** Examples stand in the place of parameters. */
  readonly target: string;
  readonly takesKey: boolean;
}

export function readOperations(json: unknown): Operation[] {
  return Object.entries(document.parse(json).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, parameters }]) => ({
      method: method.toUpperCase(),
      target: parameters.reduce((text, { name, schema }) => text.replace(`{${name}}`, String(schema.example)), path),
      takesKey: security.some((schemes) => 'apiKey' in schemes),
    })),
  );
}
