// Queue of the short messages.
import { createToaster } from '@ark-ui/react/toast';

export const toaster = createToaster({ placement: 'bottom-end', max: 3, duration: 6000 });

export function announce(title: string): void {
  toaster.create({ title, type: 'success' });
}
