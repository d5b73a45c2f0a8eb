// The form for changing the e-mail address. The change requires the password.
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { ACTIVITY_KEY, pendingEmail } from '../../data/queries.js';
import { settings } from '../../settings.js';
import { CurrentPasswordField } from './current-password-field.js';

const TEXT =
  settings.mail === 'on'
    ? 'We send a link to the new address. Your address changes when you open the link.'
    : 'This service sends no e-mail. Ask its operator for the link that confirms the new address.';

interface Props {
  readonly onClose: () => void;
}

export function ChangeEmailDialog({ onClose }: Props) {
  const form = useForm(
    { newEmail: '', currentPassword: '' },
    (body) => callSignedIn('post', '/auth/change-email', { body }),
    () => {
      for (const queryKey of [ACTIVITY_KEY, pendingEmail.queryKey]) void refetch(queryKey);
      announce(settings.mail === 'on' ? 'Link sent' : 'The operator has the link');
      onClose();
    },
  );
  return (
    <Dialog onClose={onClose} title="Change e-mail address" text={TEXT}>
      <Form
        form={form}
        action={settings.mail === 'on' ? 'Send link' : 'Request link'}
        otherAction={<Button onClick={onClose}>Cancel</Button>}
      >
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
