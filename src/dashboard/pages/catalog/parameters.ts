// Parameters of pictures as controls, derived from the OpenAPI document.
import operations from 'virtual:picture-parameters';

export const FORMATS = ['svg', 'png', 'webp'] as const;
export type Format = (typeof FORMATS)[number];
/** A picture format, or another kind of picture with its own route. Each kind has its own parameters. */
export type PictureKind = Format | 'favicon' | 'strip';
/** Chosen values by parameter. An empty text means no value. */
export type Chosen = Readonly<Record<string, string>>;

export type Control = { readonly name: string; readonly label: string; readonly description: string } & (
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly absent: string }
  | { readonly kind: 'switch'; readonly value: string }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly absent: number | undefined }
  | { readonly kind: 'color'; readonly words: readonly string[] }
  | { readonly kind: 'variant' | 'revision' }
);

/** Labels. A parameter without a label uses its name. */
const LABELS: Readonly<Record<string, string | undefined>> = {
  variant: 'Variant',
  on: 'Page background',
  color: 'Color',
  greyscale: 'Grayscale',
  size: 'Size (px)',
  width: 'Width (px)',
  height: 'Height (px)',
  scale: 'Pixel density',
  trim: 'Trim margins',
  padding: 'Padding (%)',
  background: 'Background',
  radius: 'Corner radius (%)',
  rotate: 'Rotation',
  flip: 'Flip',
  quality: 'Quality (%)',
  fallback: 'If the logo is missing',
  download: 'Download on click',
  v: 'Cache for one year',
  theme: 'Page background',
  perline: 'Logos per row',
  gap: 'Gap (px)',
  tile: 'Tiles',
  titles: 'Show names on hover',
};
/** Texts of choices. A choice without a text uses its value. The empty value is the default. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  on: { '': 'Any', light: 'Light', dark: 'Dark' },
  rotate: { '': 'None', 90: '90°', 180: '180°', 270: '270°' },
  flip: { '': 'None', h: 'Horizontal', v: 'Vertical', hv: 'Both' },
  fallback: {
    '': 'Error 404',
    404: 'Error 404',
    monogram: 'Monogram',
    transparent: 'Empty picture',
    skip: 'Omit the logo',
  },
  theme: { light: 'Light', dark: 'Dark', auto: 'Match the visitor’s color scheme' },
  tile: { '': 'None', rounded: 'Rounded', circle: 'Circle' },
};

/** Returns the text of a choice. `absent` is the value that applies without the parameter. */
export function choiceText(name: string, value: string, absent = ''): string {
  const texts = CHOICES[name] ?? {};
  return texts[value] ?? (value === '' ? (texts[absent] ?? (absent === '' ? 'Default' : absent)) : value);
}

/** Parameters that have their own field elsewhere. */
const OWN_FIELDS = ['icons', 'format'];

type Parameter = (typeof operations)[PictureKind]['parameters'][number];

/** Returns the controls, without values that the chosen parameters exclude. */
export function controlsOf(kind: PictureKind, chosen: Chosen = {}): readonly Control[] {
  return operations[kind].parameters.flatMap((each): readonly Control[] => {
    if (each.in !== 'query' || OWN_FIELDS.includes(each.name)) return [];
    const control = controlOf(each);
    const isAllowed = (value: string) => !isExcluded(kind, each.name, value, chosen);
    if (control.kind === 'switch') return isAllowed(control.value) ? [control] : [];
    return control.kind === 'choice' ? [{ ...control, values: control.values.filter(isAllowed) }] : [control];
  });
}

function isExcluded(kind: PictureKind, name: string, value: string, chosen: Chosen): boolean {
  return operations[kind].rules.some(
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
    // The default value is omitted, because it means the same as no value.
    const values = listed.filter((value) => value !== absent).map(String);
    const [value = ''] = values;
    return values.length === 1
      ? { ...common, kind: 'switch', value }
      : { ...common, kind: 'choice', values, absent: String(absent ?? '') };
  }
  if (anyOf || name === 'background')
    return { ...common, kind: 'color', words: anyOf?.flatMap((each) => each.enum ?? []) ?? [] };
  if (min === undefined || max === undefined) throw new Error(`There is no control for the parameter ${name}.`);
  return { ...common, kind: 'number', min, max, absent: typeof absent === 'number' ? absent : undefined };
}

/**
 * Returns the chosen values with `name` set to `value`. A value that is not empty drops parameters that exclude `name`.
 */
export function choiceWith(kind: PictureKind, chosen: Chosen, name: string, value: string): Chosen {
  const excluded = operations[kind].rules.flatMap(({ parameter, notWith = [] }) => {
    if (parameter === name) return notWith;
    return parameter !== undefined && notWith.includes(name) ? [parameter] : [];
  });
  const kept = isGiven(value)
    ? Object.entries(chosen).filter(([other]) => !excluded.includes(other))
    : Object.entries(chosen);
  return { ...Object.fromEntries(kept), [name]: value };
}

/** Returns the chosen parameters that the route accepts, in the order of the documentation. */
export function queryOf(kind: PictureKind, chosen: Chosen): Record<string, string> {
  return Object.fromEntries(
    controlsOf(kind, chosen).flatMap(({ name }) => {
      const value = chosen[name] ?? '';
      return isGiven(value) && !isExcluded(kind, name, value, chosen) ? [[name, value.trim().replace(/^#/, '')]] : [];
    }),
  );
}

/** Returns the query with numeric parameters as numbers, because the typed client requires numbers. */
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
