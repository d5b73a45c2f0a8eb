// A dialog that asks for the password, and where much is at stake for a typed word, before something is done.
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { CurrentPasswordField } from './current-password-field.js';

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
export function PasswordDialog({ title, text, action, danger = false, word = '', run, onClose }: Props) {
  const form = useForm(
    { currentPassword: '', typedWord: '' },
    ({ currentPassword }) => run(currentPassword),
    onClose,
  );
  const { currentPassword, typedWord } = form.texts;
  return (
    <Dialog onClose={onClose} title={title} text={text}>
      <Form
        form={form}
        action={action}
        kind={danger ? 'danger solid' : 'primary'}
        disabled={currentPassword === '' || typedWord !== word}
        otherAction={<Button onClick={onClose}>Not now</Button>}
      >
        <CurrentPasswordField {...form.field('currentPassword')} />
        {word !== '' && (
          <TextField label={`Type ${word} to confirm`} autoComplete="off" required {...form.field('typedWord')} />
        )}
      </Form>
    </Dialog>
  );
}
