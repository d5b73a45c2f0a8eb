// Parameters, headers and fields of objects, with one row each. Nested fields are shown on request.
import { useState, type ReactNode } from 'react';
import type { Parameter, Schema } from './api-document.js';
import { LinkedCode, Markdown } from './markdown.js';
import { allowedValues, givenExample, limitTexts, objectsIn, patternOf, typeText } from './schema.js';

const SHOWN_VALUES = 12;

/** A parameter, a header of a response, or a field of an object. */
type Field = Omit<Parameter, 'in'>;

export function Fields({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ul className="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <FieldRow {...field} />
        </li>
      ))}
    </ul>
  );
}

function FieldRow({ name, required, schema, description = schema.description, example }: Field) {
  return (
    <>
      <p className="field-head">
        <code className="field-name">{name}</code> <span className="field-type">{typeText(schema)}</span>{' '}
        {required === true && <span className="badge warn">required</span>}
      </p>
      {description !== undefined && <Markdown text={description} />}
      <Facts schema={schema} example={example ?? givenExample(schema)} />
      <Nested schema={schema} />
    </>
  );
}

function Facts({ schema, example }: { readonly schema: Schema; readonly example: unknown }) {
  const [showsAll, setShowsAll] = useState(false);
  const values = allowedValues(schema).map(String);
  const shown = showsAll ? values : values.slice(0, SHOWN_VALUES);
  const rest = values.length - shown.length;
  return (
    <p className="facts">
      {limitTexts(schema).map((limit) => (
        <span key={limit}>{limit}</span>
      ))}
      <Fact name="one of" values={shown}>
        {rest > 0 && (
          <button type="button" className="link-button" onClick={() => setShowsAll(true)}>
            {rest} more
          </button>
        )}
      </Fact>
      <Fact name="default" values={[schema.default]} />
      <Fact name="example" values={values.includes(String(example)) ? [] : [example]} />
      <Fact name="pattern" values={[patternOf(schema)]} />
    </p>
  );
}

interface FactProps {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly children?: ReactNode;
}

function Fact({ name, values, children }: FactProps) {
  const given = values.filter((value) => value !== undefined);
  if (given.length === 0) return null;
  return (
    <span>
      {name}{' '}
      {given.flatMap((value, at) => [
        <LinkedCode key={at} text={typeof value === 'string' ? value : JSON.stringify(value)} />,
        ' ',
      ])}
      {children}
    </span>
  );
}

/**
 * Shows the fields of the objects in a value. The fields are rendered only when the reader opens them, because a schema
 * may contain itself.
 */
function Nested({ schema }: { readonly schema: Schema }) {
  const objects = objectsIn(schema);
  return objects.map((object, at) => (
    <Disclosure
      key={at}
      summary={`${objects.length > 1 ? `Alternative ${at + 1}: ` : ''}${Object.keys(object.properties ?? {}).length} fields`}
    >
      {() => <ObjectFields object={object} />}
    </Disclosure>
  ));
}

function ObjectFields({ object: { properties = {}, required = [] } }: { readonly object: Schema }) {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }));
  return <Fields fields={fields} />;
}

interface DisclosureProps {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
}

export function Disclosure({ summary, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <div className="disclosed">{children()}</div>}
    </details>
  );
}

/** Shows the schema of a body: for an object, its fields; for any other value, its type and the objects in it. */
export function BodySchema({ schema }: { readonly schema: Schema }) {
  const [object, ...others] = objectsIn(schema);
  if (object && others.length === 0 && !schema.items) return <ObjectFields object={object} />;
  return (
    <>
      <p className="facts">{typeText(schema)}</p>
      <Nested schema={schema} />
    </>
  );
}
