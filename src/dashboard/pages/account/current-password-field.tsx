// The field for the account's password. It includes the e-mail address for password managers.
import { useQuery } from '@tanstack/react-query';
import { PasswordField, type FieldState } from '../../components/field.js';
import { me } from '../../data/queries.js';

interface Props extends FieldState {
  readonly label?: string;
  readonly name?: string;
}

export function CurrentPasswordField({ label = 'Your password', name = 'password', ...state }: Props) {
  const { data: account } = useQuery(me);
  return (
    <>
      <input type="email" name="username" autoComplete="username" value={account?.email ?? ''} readOnly hidden />
      <PasswordField label={label} name={name} autoComplete="current-password" {...state} />
    </>
  );
}
