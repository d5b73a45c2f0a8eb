// A modal dialog: focus stays inside, Escape closes it.
import { Dialog as Ark } from '@ark-ui/react/dialog';
import { Portal } from '@ark-ui/react/portal';
import type { ReactNode } from 'react';

interface Props {
  readonly open: boolean;
  /** Undefined: it cannot be closed, but by what it asks for. */
  readonly onClose?: (() => void) | undefined;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

export function Dialog({ open, onClose, title, text, children }: Props) {
  return (
    <Ark.Root
      open={open}
      onOpenChange={(change) => !change.open && onClose?.()}
      closeOnEscape={onClose !== undefined}
      closeOnInteractOutside={false}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Ark.Backdrop className="dialog-backdrop" />
        <Ark.Positioner className="dialog-positioner">
          <Ark.Content className="dialog">
            <Ark.Title>{title}</Ark.Title>
            {text !== undefined && <Ark.Description className="dialog-text">{text}</Ark.Description>}
            {children}
          </Ark.Content>
        </Ark.Positioner>
      </Portal>
    </Ark.Root>
  );
}
