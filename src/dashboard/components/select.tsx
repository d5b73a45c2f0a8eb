// A small list of choices.
import type { SelectHTMLAttributes } from 'react';

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly value: string | undefined;
  readonly onValue: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function Select({ options, onValue, ...rest }: Props) {
  return (
    <select {...rest} className="input small" onChange={(event) => onValue(event.target.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
