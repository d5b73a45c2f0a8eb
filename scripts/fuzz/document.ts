// Operations of an OpenAPI document, reduced to what requests are generated from.
import { z } from 'zod';

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly type?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly pattern?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly example?: unknown;
  readonly description?: string | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
    pattern: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    example: z.unknown().optional(),
    description: z.string().optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
  }),
);

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema,
});

const operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ required: z.boolean().default(false), content: z.record(z.string(), z.object({ schema })) })
    .optional(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).default({}) })),
});

const document = z.object({
  servers: z.array(z.object({ url: z.string() })).min(1),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

type Parameter = z.output<typeof parameter>;

export interface Operation {
  /** `GET /v1/svg/{slug}` */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
  /** Names of security schemes, one of which is enough. */
  readonly security: readonly string[];
  readonly statuses: ReadonlySet<number>;
  /** For people who follow links: parameters that are not known are ignored. */
  readonly isPage: boolean;
}

export interface Api {
  /** Of the service's own pages. */
  readonly origin: string;
  readonly operations: readonly Operation[];
}

/** Throws ZodError when the document uses what no request could be generated from. */
export function readApi(json: unknown): Api {
  const { servers, paths } = document.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { security, parameters, requestBody, responses }]): Operation => {
      const [media] = Object.values(requestBody?.content ?? {});
      return {
        id: `${name.toUpperCase()} ${path}`,
        method: name.toUpperCase(),
        path,
        // Of headers there are only signatures, which cannot be guessed.
        parameters: parameters.filter((one) => one.in !== 'header'),
        ...(media && { body: media.schema }),
        security: security.flatMap(Object.keys),
        statuses: new Set(Object.keys(responses).map(Number)),
        isPage: responses['200']?.content['text/html'] !== undefined,
      };
    }),
  );
  return { origin: servers[0]?.url ?? '', operations };
}
