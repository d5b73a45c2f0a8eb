// The form of another e-mail address, which takes the password.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { callSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { activity } from '../data/queries.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { PasswordField, TextField } from './field.js';
import { ErrorNote } from './note.js';
import { announce } from './toaster.js';

interface Props {
  /** The present one, for password managers. */
  readonly email: string;
  readonly onSent: (newEmail: string) => void;
  readonly onClose: () => void;
}

export function ChangeEmailDialog({ email, onSent, onClose }: Props) {
  const [newEmail, setNewEmail] = useState('');
  const [currentPassword, setPassword] = useState('');
  const asking = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/change-email', { body: { currentPassword, newEmail } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: activity.queryKey });
      onSent(newEmail.trim());
      announce('Link sent');
      onClose();
    },
  });
  const fieldError = asking.error instanceof ApiError ? asking.error.fieldError('newEmail') : undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!asking.isPending) asking.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Change e-mail address" text="A link to confirm it is mailed to the new address.">
      <form className="form" onSubmit={submit}>
        {fieldError === undefined && <ErrorNote error={asking.error} />}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label="New e-mail address"
          type="email"
          name="new-email"
          autoComplete="email"
          required
          value={newEmail}
          onValue={setNewEmail}
          error={fieldError}
        />
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          value={currentPassword}
          onValue={setPassword}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" kind="primary" busy={asking.isPending}>
            Send link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
