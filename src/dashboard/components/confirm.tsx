// A dialog that asks for the password, and where much is at stake for a typed word, before something is done.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { me } from '../data/queries.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { PasswordField, TextField } from './field.js';
import { ErrorNote } from './note.js';

interface Props {
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  readonly danger?: boolean;
  /** To be typed as it is. */
  readonly word?: string;
  readonly run: (currentPassword: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Open as long as it is rendered; what was typed stays when `run` rejects. */
export function Confirm({ title, text, action, danger = false, word, run, onClose }: Props) {
  const { data: account } = useQuery(me);
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const running = useMutation({ mutationFn: run, onSuccess: onClose });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!running.isPending) running.mutate(password);
  };
  const mayRun = password !== '' && (word === undefined || typed === word);
  return (
    <Dialog onClose={onClose} title={title} text={text}>
      <form className="form" onSubmit={submit}>
        <ErrorNote error={running.error} />
        {/* For password managers. */}
        <input type="email" name="username" autoComplete="username" value={account?.email ?? ''} readOnly hidden />
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
        {word !== undefined && (
          <TextField label={`Type ${word} to confirm`} autoComplete="off" value={typed} onValue={setTyped} required />
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" kind={danger ? 'danger solid' : 'primary'} busy={running.isPending} disabled={!mayRun}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
