// Sign-in form: e-mail address and password, on the page of its own and where a session has expired.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { call } from '../data/call.js';
import { begin } from '../session/session.js';
import { Button } from './button.js';
import { EmailField, PasswordField } from './field.js';
import { ErrorNote } from './note.js';

interface Props {
  readonly knownEmail?: string | undefined;
  /** Above the fields until a sign-in fails. */
  readonly note?: ReactNode;
  readonly passwordHint?: ReactNode;
  /** Beside the button, before it. */
  readonly otherAction?: ReactNode;
}

export function SignInForm({ knownEmail = '', note, passwordHint, otherAction }: Props) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('post', '/auth/login', { body: { email, password } }),
    onSuccess: begin,
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate();
  };
  const button = (
    <Button type="submit" kind="primary" busy={signIn.isPending}>
      Sign in
    </Button>
  );
  return (
    <form className="form" onSubmit={submit}>
      {!signIn.error && note}
      <ErrorNote error={signIn.error} />
      <EmailField value={email} onValue={setEmail} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        hint={passwordHint}
      />
      {otherAction === undefined ? (
        button
      ) : (
        <div className="dialog-actions">
          {otherAction}
          {button}
        </div>
      )}
    </form>
  );
}
