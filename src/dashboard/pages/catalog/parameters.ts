// Parameters of pictures as controls, derived from the OpenAPI document.
import operations from 'virtual:picture-parameters';

export const FORMATS = ['svg', 'png', 'webp'] as const;
export type Format = (typeof FORMATS)[number];
/** A format, or a route of other pictures. Each has its own parameters. */
export type Asked = Format | 'favicon' | 'strip';
/** Chosen values by parameter. An empty text means no value. */
export type Chosen = Readonly<Record<string, string>>;

export type Control = { readonly name: string; readonly label: string; readonly description: string } & (
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'switch'; readonly value: string }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly absent: number | undefined }
  | { readonly kind: 'color'; readonly words: readonly string[] }
  | { readonly kind: 'variant' | 'revision' }
);

/** Labels. A parameter without a label uses its name. */
const LABELS: Readonly<Record<string, string | undefined>> = {
  variant: 'Variant',
  on: 'Background it stands on',
  color: 'Color',
  greyscale: 'Grey',
  size: 'Size',
  width: 'Width',
  height: 'Height',
  scale: 'Pixel density',
  trim: 'Cut margins',
  padding: 'Padding',
  background: 'Background',
  radius: 'Round corners',
  rotate: 'Rotate',
  flip: 'Mirror',
  quality: 'Quality',
  fallback: 'If it is unknown',
  download: 'Save as a file',
  v: 'Cache for a year',
  theme: 'Page it stands on',
  perline: 'Logos in a row',
  gap: 'Distance',
  tile: 'Tiles',
  titles: 'Titles',
};
/** Parameters that have their own field elsewhere. */
const OWN_FIELDS = ['icons', 'format'];

type Parameter = (typeof operations)[Asked]['parameters'][number];

/** Returns the controls, without values that the chosen parameters exclude. */
export function controlsOf(asked: Asked, chosen: Chosen = {}): readonly Control[] {
  return operations[asked].parameters.flatMap((each): readonly Control[] => {
    if (each.in !== 'query' || OWN_FIELDS.includes(each.name)) return [];
    const control = controlOf(each);
    const isAllowed = (value: string) => !isExcluded(asked, each.name, value, chosen);
    if (control.kind === 'switch') return isAllowed(control.value) ? [control] : [];
    return control.kind === 'choice' ? [{ ...control, values: control.values.filter(isAllowed) }] : [control];
  });
}

function isExcluded(asked: Asked, name: string, value: string, chosen: Chosen): boolean {
  return operations[asked].rules.some(
    ({ parameter, value: excluded, notWithValue: other }) =>
      parameter === name && String(excluded) === value && other && chosen[other.parameter] === String(other.value),
  );
}

function controlOf({ name, description, schema }: Parameter): Control {
  const common = { name, label: LABELS[name] ?? name, description: description.replaceAll('`', '') };
  if (name === 'variant') return { ...common, kind: 'variant' };
  if (name === 'v') return { ...common, kind: 'revision' };
  const { enum: listed, anyOf, minimum: min, maximum: max, default: absent } = schema;
  if (listed) {
    // The default value is not offered.
    const values = listed.filter((value) => value !== absent).map(String);
    const [value = ''] = values;
    return values.length === 1 ? { ...common, kind: 'switch', value } : { ...common, kind: 'choice', values };
  }
  if (anyOf || name === 'background')
    return { ...common, kind: 'color', words: anyOf?.flatMap((each) => each.enum ?? []) ?? [] };
  if (min === undefined || max === undefined) throw new Error(`There is no control for the parameter ${name}.`);
  return { ...common, kind: 'number', min, max, absent: typeof absent === 'number' ? absent : undefined };
}

/** Returns a chosen parameter that excludes this one. */
export function conflictOf(format: Format, name: string, chosen: Chosen): string | undefined {
  for (const { parameter, notWith = [] } of operations[format].rules) {
    if (parameter === name) return notWith.find((other) => isGiven(chosen[other]));
    if (parameter !== undefined && notWith.includes(name) && isGiven(chosen[parameter])) return parameter;
  }
  return undefined;
}

/** Returns the chosen parameters that the route accepts, in the order of the documentation. */
export function queryOf(asked: Asked, chosen: Chosen): Record<string, string> {
  return Object.fromEntries(
    controlsOf(asked, chosen).flatMap(({ name }) => {
      const value = chosen[name] ?? '';
      return isGiven(value) && !isExcluded(asked, name, value, chosen) ? [[name, value.trim().replace(/^#/, '')]] : [];
    }),
  );
}

/** Returns values with the types of the typed client. */
export function typedQuery(
  format: Format,
  query: Readonly<Record<string, string | undefined>>,
): Record<string, string | number> {
  const numbers = operations[format].parameters.filter(
    ({ schema }) => schema.type === 'integer' || typeof schema.enum?.[0] === 'number',
  );
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, numbers.some((each) => each.name === name) ? Number(value) : value]];
    }),
  );
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}
