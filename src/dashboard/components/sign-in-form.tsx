// Sign-in form with e-mail address and password. It is used on its own page, and after a session has expired.
import type { ReactNode } from 'react';
import { isApiError } from '../api/error.js';
import { begin } from '../api/session.js';
import { call } from '../data/call.js';
import { EmailField, PasswordField } from './field.js';
import { Form, useForm } from './form.js';
import { Note } from './note.js';

interface Props {
  readonly knownEmail?: string | undefined;
  /** Shown above the fields until a sign-in fails. */
  readonly note?: ReactNode;
  readonly passwordHint?: ReactNode;
  /** Button before the submit button. */
  readonly otherAction?: ReactNode;
}

export function SignInForm({ knownEmail = '', note, passwordHint, otherAction }: Props) {
  const form = useForm(
    { email: knownEmail, password: '', oldest: 'keep' },
    ({ oldest, ...body }) => call('post', '/auth/login', { body: { ...body, endOldest: oldest === 'end' } }),
    begin,
  );
  const { request, texts, field } = form;
  const limitNote = (
    <Note kind="bad">
      <p>
        You are signed in on 100 devices, which is the maximum. Sign out the device that you haven't used for the
        longest time?
      </p>
      <button type="button" className="link-button" onClick={() => request.mutate({ ...texts, oldest: 'end' })}>
        Sign it out and sign in here
      </button>
    </Note>
  );
  const isAtLimit = isApiError(request.error, 'session_limit');
  return (
    <Form
      form={form}
      action="Sign in"
      otherAction={otherAction}
      note={isAtLimit ? limitNote : request.error === null ? note : undefined}
    >
      <EmailField {...field('email')} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        hint={passwordHint}
        {...field('password')}
      />
    </Form>
  );
}
