// Parameters of pictures as controls, derived from the OpenAPI document.
import operation from 'virtual:image-parameters';

export const FORMATS = ['svg', 'png', 'webp'] as const;
export type Format = (typeof FORMATS)[number];
/** What was chosen, by parameter; an empty text is nothing. */
export type Chosen = Readonly<Record<string, string>>;

export type Control = { readonly name: string; readonly description: string } & (
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'switch'; readonly value: string }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly absent: number | undefined }
  | { readonly kind: 'color'; readonly words: readonly string[] }
  | { readonly kind: 'variant' }
  | { readonly kind: 'revision' }
);

type Parameter = (typeof operation.parameters)[number];

/** Of WebP alone. */
const LOSSY = 'quality';

const CONTROLS: readonly Control[] = operation.parameters.filter((each) => each.in === 'query').map(controlOf);

function controlOf({ name, description, schema }: Parameter): Control {
  const common = { name, description: description.replaceAll('`', '') };
  if (name === 'variant') return { ...common, kind: 'variant' };
  if (name === 'v') return { ...common, kind: 'revision' };
  if (schema.enum?.length === 1) return { ...common, kind: 'switch', value: String(schema.enum[0]) };
  if (schema.enum) return { ...common, kind: 'choice', values: schema.enum.map(String) };
  if (schema.anyOf) return { ...common, kind: 'color', words: schema.anyOf.flatMap((each) => each.enum ?? []) };
  const { minimum: min = 0, maximum: max = 0, default: absent } = schema;
  return { ...common, kind: 'number', min, max, absent: typeof absent === 'number' ? absent : undefined };
}

export function controlsOf(format: Format): readonly Control[] {
  return CONTROLS.filter(({ name }) => name !== LOSSY || format === 'webp');
}

/** Another parameter with which this one cannot be combined, and which is chosen. */
export function conflictOf(name: string, chosen: Chosen): string | undefined {
  for (const { parameter, notWith = [] } of operation.rules) {
    if (parameter === name) return notWith.find((other) => isGiven(chosen[other]));
    if (parameter !== undefined && notWith.includes(name) && isGiven(chosen[parameter])) return parameter;
  }
  return undefined;
}

/** Only what is chosen, and what the format takes, in the order of the documentation. */
export function queryOf(format: Format, chosen: Chosen): Record<string, string> {
  return Object.fromEntries(
    controlsOf(format).flatMap(({ name }) => {
      const value = chosen[name] ?? '';
      return isGiven(value) ? [[name, value.trim().replace(/^#/, '')]] : [];
    }),
  );
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}
