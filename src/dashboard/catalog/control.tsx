// One parameter of a picture as a form control.
import { useId } from 'react';
import type { Variant } from '../data/queries.js';
import type { Control } from './parameters.js';

interface Props {
  readonly control: Control;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** A chosen parameter with which this one cannot be combined. */
  readonly conflict: string | undefined;
  readonly variants: readonly Variant[];
  readonly revision: string;
}

const SLIDER_UP_TO = 100;

export function ParameterControl(props: Props) {
  const { control, conflict } = props;
  const id = useId();
  return (
    <div className="control" title={control.description}>
      <label htmlFor={id}>{control.name}</label>
      <Input {...props} id={id} />
      {conflict !== undefined && <span className="hint">not with {conflict}</span>}
    </div>
  );
}

function Input(props: Props & { readonly id: string }) {
  const { control, value, onValue, id, conflict, variants, revision } = props;
  const disabled = conflict !== undefined;
  switch (control.kind) {
    case 'variant':
      return <Choice {...{ id, value, onValue, disabled }} values={variants.map(({ name }) => name)} />;
    case 'choice':
      return <Choice {...{ id, value, onValue, disabled }} values={control.values} />;
    case 'revision':
      return <Toggle {...{ id, value, onValue }} on={revision} />;
    case 'switch':
      return <Toggle {...{ id, value, onValue }} on={control.value} />;
    case 'color':
      return <ColorInput {...{ id, value, onValue }} name={control.name} words={control.words} />;
    case 'number':
      return <NumberInput {...{ id, value, onValue, disabled }} control={control} />;
  }
}

interface InputProps {
  readonly id: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly disabled?: boolean;
}

function Choice({ id, value, onValue, disabled, values }: InputProps & { readonly values: readonly string[] }) {
  return (
    <select
      id={id}
      className="input small"
      value={value}
      disabled={disabled}
      onChange={(event) => onValue(event.target.value)}
    >
      <option value="">–</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
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

/** As text, since names and translucent colors are allowed too; the picker writes opaque ones. */
function ColorInput({
  id,
  value,
  onValue,
  name,
  words,
}: InputProps & { readonly name: string; readonly words: readonly string[] }) {
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

function NumberInput({
  id,
  value,
  onValue,
  disabled,
  control,
}: InputProps & { readonly control: Control & { readonly kind: 'number' } }) {
  const { name, min, max, absent } = control;
  const limits = { min, max, disabled };
  return (
    <span className="number-input">
      {max <= SLIDER_UP_TO && (
        <input
          type="range"
          aria-label={`${name}, slider`}
          {...limits}
          value={value === '' ? (absent ?? max) : value}
          onChange={(event) => onValue(Number(event.target.value) === absent ? '' : event.target.value)}
        />
      )}
      <input
        id={id}
        type="number"
        inputMode="numeric"
        className="input small"
        {...limits}
        value={value}
        placeholder={absent === undefined ? `${min}–${max}` : String(absent)}
        onChange={(event) => onValue(event.target.value)}
      />
    </span>
  );
}
