// The form for changing the e-mail address, which needs the password.
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { ACTIVITY_KEY, pendingEmail } from '../../data/queries.js';
import { CurrentPasswordField } from './current-password-field.js';

interface Props {
  readonly onClose: () => void;
}

export function ChangeEmailDialog({ onClose }: Props) {
  const form = useForm(
    { newEmail: '', currentPassword: '' },
    (body) => callSignedIn('post', '/auth/change-email', { body }),
    () => {
      for (const queryKey of [ACTIVITY_KEY, pendingEmail.queryKey]) void refetch(queryKey);
      announce('Link sent');
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title="Change e-mail address" text="A link to confirm it is mailed to the new address.">
      <Form form={form} action="Send link" otherAction={<Button onClick={onClose}>Not now</Button>}>
        <TextField
          label="New e-mail address"
          type="email"
          name="new-email"
          autoComplete="email"
          required
          {...form.field('newEmail')}
        />
        <CurrentPasswordField {...form.field('currentPassword')} />
      </Form>
    </Dialog>
  );
}
