// The page of a mailed link. It acts only on a click, because mail filters open links, too. The token of the link is
// after `#`, so no server, log or referrer receives it. The token is removed from the URL after use.
import { useEffect, useState, type ReactNode } from 'react';
import { fieldError } from '../../api/error.js';
import type { FieldState } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { FormPage } from './form-page.js';

interface Props<Answer> {
  readonly title: string;
  readonly lead: string;
  /** Text of the button. */
  readonly action: string;
  /** Renders the field for a new password. Undefined if the page asks for no password. */
  readonly password?: (state: FieldState) => ReactNode;
  readonly send: (body: { readonly token: string; readonly newPassword: string }) => Promise<Answer>;
  readonly onSent?: (answer: Answer) => void;
  readonly done: (answer: Answer) => ReactNode;
  /** Page for an error that is not shown in the form. */
  readonly errorPage?: (error: Error) => ReactNode;
  /** Sentence about why a token can be rejected. */
  readonly rejected: string;
  /** Form or link with which the user requests another mail. */
  readonly another: ReactNode;
  readonly anotherFoot?: ReactNode;
}

export function LinkPage<Answer>(props: Props<Answer>) {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    // Called when another link is opened in the same window.
    const update = (): void => setToken(tokenInAddress());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return <LinkForm key={token} token={token} {...props} />;
}

/** Returns an empty text when the link is incomplete. */
function tokenInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}

function LinkForm<Answer>({ token, ...props }: Props<Answer> & { readonly token: string }) {
  const { title, lead, action, password, send, onSent, done, errorPage, rejected, another, anotherFoot } = props;
  const form = useForm(
    { newPassword: '' },
    ({ newPassword }) => send({ token, newPassword }),
    (answer) => {
      history.replaceState(history.state, '', location.pathname);
      onSent?.(answer);
    },
  );
  const { isSuccess, data, error } = form.request;
  if (isSuccess) return done(data);
  const isRejected = fieldError(error, 'token') !== undefined;
  if (token === '' || isRejected)
    return (
      <FormPage
        title="This link cannot be used"
        lead={isRejected ? rejected : 'The link is incomplete. Copy the whole link from the mail again.'}
        foot={anotherFoot}
      >
        {another}
      </FormPage>
    );
  const instead = error && errorPage?.(error);
  if (instead) return instead;
  return (
    <FormPage title={title} lead={lead}>
      <Form form={form} action={action}>
        {password?.(form.field('newPassword'))}
      </Form>
    </FormPage>
  );
}
