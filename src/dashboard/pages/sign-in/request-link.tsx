// The form that sends a link by mail.
import { EmailField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import { call } from '../../data/call.js';

export function RequestLink({ action }: { readonly action: string }) {
  const form = useForm({ email: '' }, (body) => call('post', '/auth/forgot-password', { body }));
  if (form.request.data)
    return (
      <div role="status">
        <Note kind="good">{form.request.data.message}</Note>
      </div>
    );
  return (
    <Form form={form} action={action}>
      <EmailField {...form.field('email')} />
    </Form>
  );
}
