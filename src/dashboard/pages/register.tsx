// Register, and see the new API key once.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { Redirect } from 'wouter';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { Button } from '../components/button.js';
import { EmailField } from '../components/field.js';
import { FormPage } from '../components/form-page.js';
import { NewKey } from '../components/new-key.js';
import { ErrorNote, Note } from '../components/note.js';
import { NewPasswordField } from '../components/password-rule.js';
import { begin } from '../session/session.js';
import { settings } from '../settings.js';

export default function RegisterPage() {
  const [key, setKey] = useState<string>();
  const [isStored, setStored] = useState(false);
  if (isStored) return <Redirect to="/overview" replace />;
  if (key !== undefined)
    return (
      <FormPage title="Your API key" lead="It opens the API for your account." wide>
        <NewKey apiKey={key} action="Continue to the dashboard" onStored={() => setStored(true)} />
      </FormPage>
    );
  return <RegisterForm onKey={setKey} />;
}

function RegisterForm({ onKey }: { readonly onKey: (key: string) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const registration = useMutation({
    mutationFn: () => call('post', '/auth/register', { body: { email, password } }),
    onSuccess: (registered) => {
      onKey(registered.apiKey);
      begin(registered);
    },
  });
  const error = registration.error;
  const fieldError = (field: string) => (error instanceof ApiError ? error.fieldError(field) : undefined);
  const isOfField = fieldError('password') !== undefined || fieldError('email') !== undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!registration.isPending) registration.mutate();
  };
  return (
    <FormPage
      title="Get an API key"
      lead="Free, without a credit card."
      foot={
        <>
          Have an account? <a href="/sign-in">Sign in</a>
        </>
      }
    >
      {settings.registration === 'closed' ? (
        <Note kind="warn">Registration is closed on this service. Ask its operator for an account.</Note>
      ) : (
        <form className="form" onSubmit={submit}>
          {!isOfField && <ErrorNote error={error} />}
          <EmailField value={email} onValue={setEmail} error={fieldError('email')} />
          <NewPasswordField
            label="Password"
            name="password"
            value={password}
            onValue={setPassword}
            error={fieldError('password')}
          />
          <Button type="submit" kind="primary" busy={registration.isPending}>
            Create account
          </Button>
        </form>
      )}
    </FormPage>
  );
}
