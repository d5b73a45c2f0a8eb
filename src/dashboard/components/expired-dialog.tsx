// Dialog that asks for the password when the session has expired; the page and what was typed there stay.
import { useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../data/call.js';
import { me } from '../data/queries.js';
import { end } from '../session/session.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { SignInForm } from './sign-in-form.js';

export default function ExpiredDialog() {
  const known = useQueryClient().getQueryData<Answer<'get', '/auth/me'>>(me.queryKey);
  return (
    <Dialog
      title="Your session has ended"
      text="Sign in again to go on. This page stays as it is, with everything you typed."
    >
      <SignInForm knownEmail={known?.account.email} otherAction={<Button onClick={end}>Leave</Button>} />
    </Dialog>
  );
}
