// The form that sends a link by mail.
import { EmailField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import { settings } from '../../settings.js';
import { call } from '../../data/call.js';

/** The text doesn't reveal whether there is an account with this address. */
const OPERATOR_HAS_LINK =
  'If there is an account with this address, the operator of this service has the link now. Ask them for it.';

export function RequestLink({ action }: { readonly action: string }) {
  const form = useForm({ email: '' }, (body) => call('post', '/auth/forgot-password', { body }));
  if (form.request.data)
    return (
      <div role="status">
        <Note kind="good">{settings.mail === 'on' ? form.request.data.message : OPERATOR_HAS_LINK}</Note>
      </div>
    );
  return (
    <Form form={form} action={action}>
      <EmailField {...form.field('email')} />
    </Form>
  );
}
