// Page to sign in with e-mail address and password.
import { useEffect } from 'react';
import { Redirect, useSearch } from 'wouter';
import { FormPage } from '../components/form-page.js';
import { Note } from '../components/note.js';
import { SignInForm } from '../components/sign-in-form.js';
import { nextPage } from '../session/next-page.js';
import { restore } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { settings } from '../settings.js';

export default function SignInPage() {
  const search = useSearch();
  const session = useSession();
  useEffect(() => {
    void restore(false).catch(() => undefined);
  }, []);
  if (session === 'signed-in') return <Redirect to={nextPage(search)} replace />;
  return (
    <FormPage title="Sign in" lead="Manage your keys and see what they are used for." foot={<RegisterHint />}>
      <SignInForm
        note={new URLSearchParams(search).has('next') && <Note>Sign in to open that page.</Note>}
        passwordHint={<a href="/forgot-password">Forgot your password?</a>}
      />
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
