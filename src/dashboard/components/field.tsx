// Fields of a form. Label, hint and error are linked to their input.
import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { settings } from '../settings.js';
import { Icon } from './icon.js';

/** Text and error of a field, from `useForm`. */
export interface FieldState {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | undefined;
}

type InputAttributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'name' | 'autoComplete' | 'inputMode' | 'maxLength' | 'placeholder' | 'readOnly' | 'required' | 'spellCheck'
>;

interface TextFieldProps extends FieldState, InputAttributes {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Control inside the field, at its end. */
  readonly end?: ReactNode;
  /** Number of lines. Undefined for an input of one line. */
  readonly rows?: number;
}

export function TextField({ label, onValue, hint, error, end, rows, ...rest }: TextFieldProps) {
  const id = useId();
  const described = [
    hint !== undefined && error === undefined && `${id}-hint`,
    error !== undefined && `${id}-error`,
  ].filter(Boolean);
  const input = {
    ...rest,
    id,
    className: 'input',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onValue(target.value),
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described.join(' ') || undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <div className={end ? 'with-end' : undefined}>
          <input {...input} />
          {end}
        </div>
      ) : (
        <textarea {...input} rows={rows} />
      )}
      {/* One message at a time. */}
      {hint !== undefined && error === undefined && (
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

/** The account's e-mail address, which password managers store as the user name. */
export function EmailField(state: FieldState) {
  return <TextField label="E-mail address" type="email" name="email" autoComplete="username" required {...state} />;
}

interface PasswordFieldProps extends FieldState {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
}

/** `autoComplete` tells password managers to fill in a password or to generate one. */
export function PasswordField(
  props: PasswordFieldProps & { readonly autoComplete: 'current-password' | 'new-password' },
) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      maxLength={1024}
      required
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className="icon-button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'hide' : 'show'} size={18} />
        </button>
      }
    />
  );
}

/** A field that states the password rule of this deployment. */
export function NewPasswordField(props: Omit<PasswordFieldProps, 'hint'>) {
  const { minPasswordCharacters: minimum } = settings;
  const missing = props.value === '' ? 0 : minimum - [...props.value].length;
  const rule =
    missing > 0 ? `${missing} more ${missing === 1 ? 'character' : 'characters'}` : `At least ${minimum} characters`;
  return (
    <PasswordField {...props} autoComplete="new-password" hint={`${rule}. A short sentence is easy to remember.`} />
  );
}
