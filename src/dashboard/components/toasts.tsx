// Short messages about what was done.
import { Toast, Toaster } from '@ark-ui/react/toast';
import { Icon } from './icon.js';
import { toaster } from './toaster.js';

export default function Toasts() {
  return (
    <Toaster toaster={toaster}>
      {(toast) => (
        <Toast.Root className="toast">
          {toast.type === 'error' ? <Icon name="error" size={18} /> : <Icon name="success" size={18} />}
          <div>
            <Toast.Title>{toast.title}</Toast.Title>
          </div>
          <Toast.CloseTrigger className="icon-button" aria-label="Close message">
            <Icon name="close" size={15} />
          </Toast.CloseTrigger>
        </Toast.Root>
      )}
    </Toaster>
  );
}
