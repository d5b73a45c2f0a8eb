// A field for a new password, with the rule of this deployment.
import { settings } from '../settings.js';
import { PasswordField } from './field.js';

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | undefined;
}

export function NewPasswordField(props: Props) {
  const { minPasswordCharacters: minimum } = settings;
  const missing = minimum - [...props.value].length;
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      hint={
        props.value !== '' && missing > 0
          ? `${missing} more ${missing === 1 ? 'character' : 'characters'}. A sentence is easiest to remember.`
          : `At least ${minimum} characters. A sentence is easiest to remember.`
      }
    />
  );
}
