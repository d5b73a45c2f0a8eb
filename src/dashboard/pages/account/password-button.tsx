// A button that asks for the password in a dialog before an action. Dangerous actions also ask for a typed word.
import { useState } from 'react';
import { forgetConfirmed, isConfirmed, noteConfirmed } from '../../api/confirmation.js';
import { fieldError, isApiError } from '../../api/error.js';
import { Button, type ButtonProps } from '../../components/button.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { CurrentPasswordField } from './current-password-field.js';

interface DialogProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly danger: boolean;
  /** Word that the user must type exactly. */
  readonly word?: string;
  /** If set, the password is not asked for again within five minutes. */
  readonly once?: true;
  /**
   * `currentPassword` is empty if the dialog did not ask for it, because `once` is set and the user has typed it in the
   * last five minutes.
   */
  readonly run: (currentPassword: string) => Promise<unknown>;
  readonly close: () => void;
}

type Props = Omit<DialogProps, 'danger' | 'close'> & Pick<ButtonProps, 'kind' | 'disabled' | 'children'>;

export function PasswordButton({ kind = 'plain', disabled, children, ...dialog }: Props) {
  return (
    <DialogButton
      kind={kind}
      disabled={disabled}
      dialog={(close) => <PasswordDialog {...dialog} danger={kind === 'danger'} close={close} />}
    >
      {children}
    </DialogButton>
  );
}

/** Keeps the typed text when `run` rejects. */
function PasswordDialog({ title, text, action, danger, word = '', once, run, close }: DialogProps) {
  const [asks, setAsks] = useState(!once || !isConfirmed());
  const confirmAndRun = async (typed: string): Promise<void> => {
    try {
      await run(typed);
    } catch (error) {
      if (!asks && needsPassword(error)) {
        forgetConfirmed();
        setAsks(true);
      }
      throw error;
    }
    if (once && asks) noteConfirmed();
  };
  const form = useForm(
    { currentPassword: '', typedWord: '' },
    ({ currentPassword }) => confirmAndRun(currentPassword),
    close,
  );
  const { currentPassword, typedWord } = form.texts;
  return (
    <Dialog onClose={close} title={title} text={text}>
      <Form
        form={form}
        action={action}
        kind={danger ? 'danger solid' : 'primary'}
        disabled={(asks && currentPassword === '') || typedWord !== word}
        otherAction={<Button onClick={close}>Cancel</Button>}
      >
        {asks && <CurrentPasswordField {...form.field('currentPassword')} />}
        {word !== '' && (
          <TextField label={`Type ${word} to confirm`} autoComplete="off" required {...form.field('typedWord')} />
        )}
      </Form>
    </Dialog>
  );
}

function needsPassword(error: unknown): boolean {
  return isApiError(error, 'invalid_credentials') || fieldError(error, 'currentPassword') !== undefined;
}
