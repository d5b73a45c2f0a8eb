// Asks for the password when the session has ended by itself; the page and what was typed there stay.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { call, type Answer } from '../data/call.js';
import { me } from '../data/queries.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { PasswordField, TextField } from './field.js';
import { ErrorNote } from './note.js';
import { begin, end } from '../session/session.js';

export default function ExpiredDialog() {
  const known = useQueryClient().getQueryData<Answer<'get', '/auth/me'>>(me.queryKey);
  const [email, setEmail] = useState(known?.account.email ?? '');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('post', '/auth/login', { body: { email, password } }),
    onSuccess: begin,
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate();
  };
  return (
    <Dialog
      open
      title="Your session has ended"
      text="Sign in again to go on. This page stays as it is, with everything you typed."
    >
      <form className="form" onSubmit={submit}>
        <ErrorNote error={signIn.error} />
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onValue={setEmail}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        <div className="dialog-actions">
          <Button onClick={end}>Leave</Button>
          <Button type="submit" kind="primary" busy={signIn.isPending}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
