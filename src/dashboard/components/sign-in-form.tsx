// Sign-in form: e-mail address and password, on the page of its own and where a session has expired.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { begin } from '../session/session.js';
import { Button } from './button.js';
import { EmailField, PasswordField } from './field.js';
import { ErrorNote, Note } from './note.js';

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
    mutationFn: (endOldest: boolean) => call('post', '/auth/login', { body: { email, password, endOldest } }),
    onSuccess: begin,
  });
  const { error } = signIn;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate(false);
  };
  const button = (
    <Button type="submit" kind="primary" busy={signIn.isPending}>
      Sign in
    </Button>
  );
  return (
    <form className="form" onSubmit={submit}>
      {!error && note}
      {error instanceof ApiError && error.code === 'session_limit' ? (
        <SessionLimitNote onEndOldest={() => signIn.mutate(true)} />
      ) : (
        <ErrorNote error={error} />
      )}
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

function SessionLimitNote({ onEndOldest }: { readonly onEndOldest: () => void }) {
  return (
    <Note kind="bad">
      <p>You are signed in on 100 devices, which is the most. Sign out the one that was unused longest?</p>
      <button type="button" className="link-button" onClick={onEndOldest}>
        Sign it out and sign in here
      </button>
    </Note>
  );
}
