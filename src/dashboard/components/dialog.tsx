// A modal dialog, and a button that opens one. Focus stays inside, Escape closes the dialog, and focus returns to the
// opening button.
import { useId, useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from './button.js';

interface Props {
  /** Undefined if the dialog cannot be dismissed. */
  readonly onClose?: () => void;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** Modal dialog that opens when it is mounted, and closes when it is unmounted. */
export function Dialog({ onClose, title, text, children }: Props) {
  const id = useId();
  return (
    <dialog
      ref={showModal}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      // Without `none`, Chrome closes the dialog on the second Escape, even if `cancel` is prevented.
      closedby={onClose ? undefined : 'none'}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {text !== undefined && (
        <div id={`${id}-text`} className="dialog-text">
          {text}
        </div>
      )}
      {children}
    </dialog>
  );
}

function showModal(dialog: HTMLDialogElement): () => void {
  const { clientWidth, style } = document.documentElement;
  // While a dialog is open, the page behind it does not scroll (base.css) and has no scroll bar. Reserving the place of
  // the scroll bar keeps the page's width.
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable';
  dialog.showModal();
  return () => {
    style.scrollbarGutter = '';
    // Closes the dialog, because the focus does not return from a dialog that is removed while it is open.
    dialog.close();
  };
}

interface DialogButtonProps extends ButtonProps {
  readonly dialog: (close: () => void) => ReactNode;
}

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
