// A segmented control that selects one of a few values. It consists of radio buttons.
import { useId } from 'react';

interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

export function Segments<Value extends string>({ label, options, value, onValue }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => onValue(each)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
