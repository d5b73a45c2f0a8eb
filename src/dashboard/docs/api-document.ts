// The OpenAPI document for the reference: operations by tag, with references replaced by their targets.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Omit<Parameter, 'in' | 'name'>>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Scheme {
  readonly type: 'apiKey' | 'http';
  readonly in?: 'header' | 'query' | 'cookie';
  readonly name?: string;
  readonly description: string;
}

interface OperationObject {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly description?: string;
    /** Body by media type. A body without a schema is not JSON. */
    readonly content: Readonly<Record<string, Partial<Media>>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-parameter-rules'?: readonly {
    readonly exactlyOneOf?: readonly string[];
    readonly atLeastOneOf?: readonly string[];
  }[];
}

interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Scheme>>;
  };
  readonly 'x-errors': Readonly<
    Record<string, { readonly status: number; readonly message: string; readonly action: string }>
  >;
}

export interface Operation extends Omit<OperationObject, 'parameters'> {
  readonly method: string;
  readonly path: string;
  /** Id of the operation's section: `tag/{tag}/{METHOD}{path}`. */
  readonly id: string;
  /** Security schemes. A request needs a credential of one of them. */
  readonly schemes: readonly Scheme[];
  readonly parameters: readonly Parameter[];
}

export interface Tag {
  readonly name: string;
  readonly id: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface ApiDocument extends OpenApiDocument {
  readonly groups: readonly Tag[];
}

/** Rejects when the document cannot be loaded. */
export async function loadDocument(): Promise<ApiDocument> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`The API document could not be loaded: the response status is ${response.status}.`);
  const document = withoutReferences((await response.json()) as OpenApiDocument);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(document, method.toUpperCase(), path, operation)),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: tagId(tag.name),
    operations: operations.filter(({ tags }) => tags.includes(tag.name)),
  }));
  return { ...document, groups };
}

function operationOf(document: OpenApiDocument, method: string, path: string, operation: OperationObject): Operation {
  const { security = [], parameters = [], tags } = operation;
  const { securitySchemes } = document.components;
  const schemes = security.flatMap((names) => Object.keys(names)).flatMap((name) => securitySchemes[name] ?? []);
  return { ...operation, method, path, id: `${tagId(tags[0] ?? '')}/${method}${path}`, schemes, parameters };
}

function tagId(name: string): string {
  return `tag/${name.toLowerCase().replaceAll(' ', '-')}`;
}

type Node = Record<string, unknown>;

/**
 * Replaces each `$ref` with its target. All references to a target share one object, so a schema that contains itself
 * becomes a cyclic object.
 */
function withoutReferences(document: OpenApiDocument): OpenApiDocument {
  const root = document as unknown as Node;
  const seen = new Set<object>();
  const target = (value: object): object => {
    if (!('$ref' in value) || typeof value.$ref !== 'string') return value;
    const keys = value.$ref.split('/').slice(1);
    return target(keys.reduce<Node>((node, key) => (node[key] ?? {}) as Node, root));
  };
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      node[key] = target(value);
      visit(node[key] as Node);
    }
  };
  visit(root);
  return document;
}
