// A form that sends its fields in one request. If the service rejects a field, the error is shown beside that field.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { fieldError } from '../api/error.js';
import { Button, type ButtonProps } from './button.js';
import type { FieldState } from './field.js';
import { ErrorNote } from './note.js';

/**
 * `initial`: initial text of each field, by the field's name in the request. When `send` rejects, the typed texts stay
 * in the form.
 */
export function useForm<Name extends string, Answer>(
  initial: Record<Name, string>,
  send: (texts: Record<Name, string>) => Promise<Answer>,
  onSent?: (answer: Answer, texts: Record<Name, string>) => unknown,
) {
  const [texts, setTexts] = useState(initial);
  const request = useMutation({ mutationFn: send, onSuccess: (answer, sent) => onSent?.(answer, sent) });
  const field = (name: Name): FieldState => ({
    value: texts[name],
    onValue: (text) => setTexts((current) => ({ ...current, [name]: text })),
    // The error disappears when the user types, because it is about the text that was sent.
    error: request.variables?.[name] === texts[name] ? fieldError(request.error, name) : undefined,
  });
  const isErrorOfField = Object.keys(texts).some((name) => fieldError(request.error, name) !== undefined);
  return {
    texts,
    field,
    request,
    /** An error that belongs to no field. */
    otherError: isErrorOfField ? null : request.error,
    clear: () => setTexts(initial),
    submit(event: SyntheticEvent): void {
      event.preventDefault();
      if (!request.isPending) request.mutate(texts);
    },
  };
}

interface Props {
  readonly form: {
    readonly request: { readonly isPending: boolean };
    readonly otherError: unknown;
    readonly submit: (event: SyntheticEvent) => void;
  };
  /** Text of the submit button. */
  readonly action: string;
  readonly kind?: ButtonProps['kind'];
  readonly disabled?: boolean;
  /** Button before the submit button. */
  readonly otherAction?: ReactNode;
  /** In a card, buttons are at the start. In a dialog, they are at the end. */
  readonly isInCard?: boolean;
  /** Text that is shown in place of the error. */
  readonly note?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

export function Form({ form, action, kind = 'primary', className, children, ...rest }: Props) {
  const { disabled, otherAction, isInCard = false, note } = rest;
  const button = (
    <Button type="submit" kind={kind} busy={form.request.isPending} disabled={disabled}>
      {action}
    </Button>
  );
  return (
    <form className={`form ${className ?? ''}`} onSubmit={form.submit}>
      {children}
      {/* The error is beside the pressed button, where people look. */}
      {note ?? <ErrorNote error={form.otherError} />}
      {otherAction === undefined ? (
        button
      ) : (
        <div className={isInCard ? 'button-row' : 'dialog-actions'}>
          {isInCard && button}
          {otherAction}
          {!isInCard && button}
        </div>
      )}
    </form>
  );
}
