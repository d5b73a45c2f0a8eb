// One parameter of a picture as a form control.
import { useState } from 'react';
import { Select } from '../../components/select.js';
import type { Variant } from '../../data/queries.js';
import { parseWholeNumber } from '../../numbers.js';
import { choiceText, type Control } from './parameters.js';

interface Props {
  /** Prefix of the control's id. */
  readonly of?: string;
  readonly control: Control;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly variants: readonly Variant[];
  readonly revision: string;
}

const SLIDER_UP_TO = 100;

export function ParameterControl(props: Props) {
  const { of = 'parameter', control, value } = props;
  const id = `${of}-${control.name}`;
  const error = control.kind === 'number' ? numberError(value, control) : undefined;
  return (
    <div className="control" title={control.description}>
      <label htmlFor={id}>{control.label}</label>
      <Input {...props} id={id} />
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

function Input({ control, value, onValue, id, variants, revision }: Props & { readonly id: string }) {
  const input = { id, value, onValue };
  switch (control.kind) {
    case 'variant':
      return <Select {...input} options={[['', 'Default'], ...variants.map(({ name }) => [name, name] as const)]} />;
    case 'choice':
      return <Choice {...input} {...control} />;
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
}

type ChoiceProps = InputProps & Extract<Control, { readonly kind: 'choice' }>;

function Choice({ id, value, onValue, name, values, absent }: ChoiceProps) {
  const options = ['', ...values].map((each) => [each, choiceText(name, each, absent)] as const);
  return <Select {...{ id, value, onValue, options }} />;
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

/** Parameter → placeholder of its field. The placeholder names the color that a picture has without the parameter. */
const COLOR_PLACEHOLDERS: Readonly<Record<string, string>> = { color: 'Original', background: 'None' };

type ColorProps = InputProps & Extract<Control, { readonly kind: 'color' }>;

/**
 * A text field beside a color picker. The picker only writes opaque colors, but the parameter also allows names of
 * colors and translucent colors.
 */
function ColorInput({ id, value, onValue, name, words }: ColorProps) {
  const hex = /^#?([0-9a-f]{6})$/i.exec(value.trim())?.[1];
  return (
    <span className="color-input">
      <input
        type="color"
        aria-label={`Pick ${name}`}
        data-empty={hex === undefined}
        value={`#${(hex ?? '808080').toLowerCase()}`}
        onChange={(event) => onValue(event.target.value.slice(1))}
      />
      <input
        id={id}
        className="input small"
        value={value}
        placeholder={COLOR_PLACEHOLDERS[name] ?? ''}
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

/** Returns the number as digits if the typed text is a whole number. Otherwise returns the typed text. */
function numberText(typed: string): string {
  return parseWholeNumber(typed)?.toString() ?? typed.trim();
}

function numberError(value: string, { min, max }: Pick<NumberProps, 'min' | 'max'>): string | undefined {
  const number = parseWholeNumber(value);
  const isAllowed = value === '' || (number !== undefined && number >= min && number <= max);
  return isAllowed ? undefined : `A whole number from ${min} to ${max}.`;
}

/** `absent`: value that applies if the request omits the parameter. */
function NumberInput({ id, value, onValue, name, min, max, absent }: NumberProps) {
  // The typed form of the value, such as `1,024`.
  const [typed, setTyped] = useState(value);
  const isWrong = numberError(value, { min, max }) !== undefined;
  return (
    <span className="number-input">
      {max <= SLIDER_UP_TO && (
        <input
          type="range"
          aria-label={`${name}, slider`}
          {...{ min, max }}
          value={parseWholeNumber(value) ?? absent ?? max}
          onChange={(event) => onValue(Number(event.target.value) === absent ? '' : event.target.value)}
        />
      )}
      <input
        id={id}
        inputMode="numeric"
        className="input small"
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
