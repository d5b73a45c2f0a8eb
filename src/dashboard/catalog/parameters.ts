// Parameters of pictures as controls, derived from the OpenAPI document.
import operations from 'virtual:image-parameters';

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

type Parameter = (typeof operations)[Format]['parameters'][number];

const CONTROLS: Readonly<Record<Format, readonly Control[]>> = {
  svg: controlsIn('svg'),
  png: controlsIn('png'),
  webp: controlsIn('webp'),
};

function controlsIn(format: Format): Control[] {
  return operations[format].parameters.filter((each) => each.in === 'query').map(controlOf);
}

function controlOf({ name, description, schema }: Parameter): Control {
  const common = { name, description: description.replaceAll('`', '') };
  if (name === 'variant') return { ...common, kind: 'variant' };
  if (name === 'v') return { ...common, kind: 'revision' };
  const { enum: listed, anyOf, minimum: min, maximum: max, default: absent } = schema;
  if (listed) return { ...common, ...choiceOf(listed.filter((value) => value !== absent).map(String)) };
  if (anyOf) return { ...common, kind: 'color', words: anyOf.flatMap((each) => each.enum ?? []) };
  if (min === undefined || max === undefined) throw new Error(`There is no control for the parameter ${name}.`);
  return { ...common, kind: 'number', min, max, absent: typeof absent === 'number' ? absent : undefined };
}

/** A value that holds anyway is not among them. */
function choiceOf(values: readonly string[]) {
  const [only = '', ...others] = values;
  return others.length === 0 ? ({ kind: 'switch', value: only } as const) : ({ kind: 'choice', values } as const);
}

export function controlsOf(format: Format): readonly Control[] {
  return CONTROLS[format];
}

/** Another parameter with which this one cannot be combined, and which is chosen. */
export function conflictOf(format: Format, name: string, chosen: Chosen): string | undefined {
  for (const { parameter, notWith = [] } of operations[format].rules) {
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
