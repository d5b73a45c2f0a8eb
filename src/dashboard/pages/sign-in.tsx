// Sign in with e-mail address and password.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { Redirect, useSearch } from 'wouter';
import { call } from '../data/call.js';
import { Button } from '../components/button.js';
import { PasswordField, TextField } from '../components/field.js';
import { FormPage } from '../components/form-page.js';
import { ErrorNote, Note } from '../components/note.js';
import { nextPage } from '../session/next-page.js';
import { begin, restore } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { settings } from '../settings.js';

export default function SignInPage() {
  const search = useSearch();
  const session = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('post', '/auth/login', { body: { email, password } }),
    onSuccess: begin,
  });
  useEffect(() => {
    void restore(false).catch(() => undefined);
  }, []);
  if (session === 'signed-in') return <Redirect to={nextPage(search)} replace />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate();
  };
  return (
    <FormPage title="Sign in" lead="Manage your keys and see what they are used for." foot={<RegisterHint />}>
      <form className="form" onSubmit={submit}>
        {new URLSearchParams(search).has('next') && !signIn.error && <Note>Sign in to open that page.</Note>}
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
          hint={<a href="/forgot-password">Forgot your password?</a>}
        />
        <Button type="submit" kind="primary" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </FormPage>
  );
}

function RegisterHint() {
  if (settings.registration === 'closed') return <>Registration is closed on this service.</>;
  return (
    <>
      New here? <a href="/register">Get an API key</a>
    </>
  );
}
