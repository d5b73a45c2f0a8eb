// Registers an account, and shows the new API key once.
import { useState } from 'react';
import { begin } from '../../api/session.js';
import { EmailField, NewPasswordField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import { call } from '../../data/call.js';
import { settings } from '../../settings.js';
import { FirstKey } from './first-key.js';
import { FormPage } from './form-page.js';

export default function RegisterPage() {
  const [key, setKey] = useState<string>();
  const [mailedTo, setMailedTo] = useState<string>();
  const form = useForm(
    { email: '', password: '' },
    (body) => call('post', '/auth/register', { body }),
    (registered, { email }) => {
      if (!('apiKey' in registered)) {
        setMailedTo(email);
        return;
      }
      setKey(registered.apiKey);
      begin(registered);
    },
  );
  if (key !== undefined) return <FirstKey apiKey={key} />;
  if (mailedTo !== undefined)
    return (
      <FormPage title="Check your e-mail" lead="One more step creates your account.">
        <div role="status">
          <Note kind="good">We sent a link to {mailedTo}. Open it to create your account.</Note>
        </div>
      </FormPage>
    );
  return (
    <FormPage
      title="Get an API key"
      lead={
        settings.billing === 'on'
          ? 'Free, without a credit card.'
          : 'With an account, you get an API key and usage statistics.'
      }
      foot={
        <>
          Have an account? <a href="/sign-in">Sign in</a>
        </>
      }
    >
      {settings.registration === 'closed' ? (
        <Note kind="warn">Registration is closed on this service. Ask its operator for an account.</Note>
      ) : (
        <Form form={form} action="Create account">
          <EmailField {...form.field('email')} />
          <NewPasswordField label="Password" name="password" {...form.field('password')} />
        </Form>
      )}
    </FormPage>
  );
}
