// Register, and see the new API key once.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { Button } from '../components/button.js';
import { EmailField } from '../components/field.js';
import { FormPage } from '../components/form-page.js';
import { FirstKey } from '../components/first-key.js';
import { ErrorNote, Note } from '../components/note.js';
import { NewPasswordField } from '../components/password-rule.js';
import { begin } from '../session/session.js';
import { settings } from '../settings.js';

export default function RegisterPage() {
  const [key, setKey] = useState<string>();
  const [mailedTo, setMailedTo] = useState<string>();
  if (key !== undefined) return <FirstKey apiKey={key} />;
  if (mailedTo !== undefined)
    return (
      <FormPage title="Check your mail" lead="One more step.">
        <div role="status">
          <Note kind="good">A mail to {mailedTo} is on its way. Its link creates your account.</Note>
        </div>
      </FormPage>
    );
  return <RegisterForm onKey={setKey} onMailed={setMailedTo} />;
}

interface FormProps {
  readonly onKey: (key: string) => void;
  /** With the address. */
  readonly onMailed: (email: string) => void;
}

function RegisterForm({ onKey, onMailed }: FormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const registration = useMutation({
    mutationFn: () => call('post', '/auth/register', { body: { email, password } }),
    onSuccess: (registered) => {
      if (!('apiKey' in registered)) {
        onMailed(email);
        return;
      }
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
