// One parameter of a picture as a form control.
import { useState } from 'react';
import { Select } from '../../components/select.js';
import type { Variant } from '../../data/queries.js';
import { parseWholeNumber } from '../../numbers.js';
import type { Control } from './parameters.js';

interface Props {
  /** Prefix of its id. */
  readonly of?: string;
  readonly control: Control;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** A chosen parameter that excludes this one. */
  readonly conflict: string | undefined;
  readonly variants: readonly Variant[];
  readonly revision: string;
}

const SLIDER_UP_TO = 100;

export function ParameterControl(props: Props) {
  const { of = 'parameter', control, conflict, value } = props;
  const id = `${of}-${control.name}`;
  const error = control.kind === 'number' ? numberError(value, control) : undefined;
  return (
    <div className="control" title={control.description}>
      <div className="control-name">
        <label htmlFor={id}>{control.label}</label>
        <code>{control.name}</code>
      </div>
      <Input {...props} id={id} />
      {conflict !== undefined && <span className="hint">not with {conflict}</span>}
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

function Input({ control, value, onValue, id, conflict, variants, revision }: Props & { readonly id: string }) {
  const input = { id, value, onValue, disabled: conflict !== undefined };
  switch (control.kind) {
    case 'variant':
      return <Choice {...input} values={variants.map(({ name }) => name)} />;
    case 'choice':
      return <Choice {...input} values={control.values} />;
    case 'revision':
      return <Toggle {...input} on={revision} />;
    case 'switch':
      return <Toggle {...input} on={control.value} />;
    case 'color':
      return <ColorInput {...input} {...control} />;
    case 'number':
      return <NumberInput {...input} {...control} />;
  }
}

interface InputProps {
  readonly id: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly disabled: boolean;
}

function Choice({ values, ...rest }: InputProps & { readonly values: readonly string[] }) {
  return <Select {...rest} options={[['', '–'], ...values.map((each) => [each, each] as const)]} />;
}

function Toggle({ id, value, onValue, on }: InputProps & { readonly on: string }) {
  return (
    <input
      id={id}
      type="checkbox"
      className="toggle"
      checked={value !== ''}
      onChange={(event) => onValue(event.target.checked ? on : '')}
    />
  );
}

type ColorProps = InputProps & Extract<Control, { readonly kind: 'color' }>;

/** A text field, because names and translucent colors are allowed. The color picker writes opaque colors. */
function ColorInput({ id, value, onValue, name, words }: ColorProps) {
  const hex = /^#?([0-9a-f]{6})$/i.exec(value.trim())?.[1];
  return (
    <span className="color-input">
      <input
        type="color"
        aria-label={`Pick ${name}`}
        value={`#${(hex ?? '808080').toLowerCase()}`}
        onChange={(event) => onValue(event.target.value.slice(1))}
      />
      <input
        id={id}
        className="input small"
        value={value}
        placeholder={words[0] ?? ''}
        list={`${id}-words`}
        maxLength={40}
        spellCheck={false}
        onChange={(event) => onValue(event.target.value)}
      />
      <datalist id={`${id}-words`}>
        {words.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </span>
  );
}

type NumberProps = InputProps & Extract<Control, { readonly kind: 'number' }>;

/** Returns digits if the number was understood. Otherwise returns the typed text. */
function numberText(typed: string): string {
  return parseWholeNumber(typed)?.toString() ?? typed.trim();
}

function numberError(value: string, { min, max }: Pick<NumberProps, 'min' | 'max'>): string | undefined {
  const number = parseWholeNumber(value);
  const isAllowed = value === '' || (number !== undefined && number >= min && number <= max);
  return isAllowed ? undefined : `A whole number from ${min} to ${max}.`;
}

/** `absent` is the value without the parameter. */
function NumberInput({ id, value, onValue, disabled, name, min, max, absent }: NumberProps) {
  // The typed form of the value, such as `1,024`.
  const [typed, setTyped] = useState(value);
  const isWrong = numberError(value, { min, max }) !== undefined;
  return (
    <span className="number-input">
      {max <= SLIDER_UP_TO && (
        <input
          type="range"
          aria-label={`${name}, slider`}
          {...{ min, max, disabled }}
          value={parseWholeNumber(value) ?? absent ?? max}
          onChange={(event) => onValue(Number(event.target.value) === absent ? '' : event.target.value)}
        />
      )}
      <input
        id={id}
        inputMode="numeric"
        className="input small"
        disabled={disabled}
        autoComplete="off"
        maxLength={20}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        value={numberText(typed) === value ? typed : value}
        placeholder={absent === undefined ? `${min}–${max}` : String(absent)}
        onChange={(event) => {
          setTyped(event.target.value);
          onValue(numberText(event.target.value));
        }}
      />
    </span>
  );
}
