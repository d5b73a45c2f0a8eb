// Form fields: label, hint and error belong to their input.
import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { Icon } from './icon.js';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Inside the field, at its end. */
  readonly end?: ReactNode;
}

export function TextField({ label, onValue, hint, error, end, id: givenId, ...input }: Props) {
  const madeId = useId();
  const id = givenId ?? madeId;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={end ? 'with-end' : undefined}>
        <input
          {...input}
          id={id}
          className="input"
          onChange={(event) => onValue(event.target.value)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described || undefined}
        />
        {end}
      </div>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The account's; password managers know it as the user's name. */
export function EmailField(props: Pick<Props, 'value' | 'onValue' | 'hint' | 'error'>) {
  return <TextField label="E-mail address" type="email" name="email" autoComplete="username" required {...props} />;
}

/** `autoComplete`: what password managers fill in, or offer to make up. */
export function PasswordField(
  props: Omit<Props, 'type' | 'end'> & { readonly autoComplete: 'current-password' | 'new-password' },
) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      maxLength={1024}
      required
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className="icon-button"
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'hide' : 'show'} size={18} />
        </button>
      }
    />
  );
}
