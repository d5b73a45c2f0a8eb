// Page to sign in with e-mail address and password.
import { useEffect } from 'react';
import { Redirect, useSearch } from 'wouter';
import { restore, useSession } from '../../api/session.js';
import { Note } from '../../components/note.js';
import { SignInForm } from '../../components/sign-in-form.js';
import { settings } from '../../settings.js';
import { FormPage } from './form-page.js';

export default function SignInPage() {
  const search = new URLSearchParams(useSearch());
  const session = useSession();
  useEffect(() => {
    void restore(false).catch(() => undefined);
  }, []);
  if (session === 'signed-in') return <Redirect to={nextPage(search)} replace />;
  const registerHint =
    settings.registration === 'closed' ? (
      'Registration is closed on this service.'
    ) : (
      <>
        New here? <a href="/register">Get an API key</a>
      </>
    );
  return (
    <FormPage title="Sign in" lead="Manage your keys and see what they are used for." foot={registerHint}>
      <SignInForm
        note={search.has('next') && <Note>Sign in to open that page.</Note>}
        passwordHint={<a href="/forgot-password">Forgot your password?</a>}
      />
    </FormPage>
  );
}

/**
 * Returns the path of the page that requested the sign-in. Returns the overview if there is no such page, or if it does
 * not belong to this service.
 */
function nextPage(search: URLSearchParams): string {
  const next = search.get('next') ?? '';
  // `//host` and `/\host` are other origins.
  return /^\/[\w-]/.test(next) ? next : '/overview';
}
