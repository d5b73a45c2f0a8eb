// Short messages about what was done.
import { Toast, Toaster } from '@ark-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { toaster } from './toaster.js';

export default function Toasts() {
  return (
    <Toaster toaster={toaster}>
      {(toast) => (
        <Toast.Root className="toast">
          {toast.type === 'error' ? <CircleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />}
          <div>
            <Toast.Title>{toast.title}</Toast.Title>
          </div>
          <Toast.CloseTrigger className="icon-button" aria-label="Close message">
            <X size={15} aria-hidden />
          </Toast.CloseTrigger>
        </Toast.Root>
      )}
    </Toaster>
  );
}
