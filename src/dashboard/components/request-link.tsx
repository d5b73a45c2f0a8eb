// The form that sends a link by mail.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { call } from '../data/call.js';
import { Button } from './button.js';
import { EmailField } from './field.js';
import { ErrorNote, Note } from './note.js';

export function RequestLink({ action }: { readonly action: string }) {
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => call('post', '/auth/forgot-password', { body: { email } }) });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!request.isPending) request.mutate();
  };
  if (request.data)
    return (
      <div role="status">
        <Note kind="good">{request.data.message}</Note>
      </div>
    );
  return (
    <form className="form" onSubmit={submit}>
      <ErrorNote error={request.error} />
      <EmailField value={email} onValue={setEmail} />
      <Button type="submit" kind="primary" busy={request.isPending}>
        {action}
      </Button>
    </form>
  );
}
