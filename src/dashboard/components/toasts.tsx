// Short messages about completed actions. Three are shown at a time; the others wait.
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../store.js';
import { Icon } from './icon.js';

const MAX_SHOWN = 3;
const SHOWN_MS = 6000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

/** Toasts, oldest first. */
const queue = createStore<readonly Toast[]>([]);
let latestId = 0;

export function announce(text: string): void {
  latestId += 1;
  queue.set([...queue.get(), { id: latestId, text }]);
}

function dismiss(id: number): void {
  queue.set(queue.get().filter((toast) => toast.id !== id));
}

/** Rendered even when empty, because screen readers only announce additions to a live region that they already know. */
export function Toasts() {
  const toasts = useStore(queue);
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {toasts.slice(0, MAX_SHOWN).map((toast) => (
        <ToastCard key={toast.id} {...toast} />
      ))}
    </section>
  );
}

function ToastCard({ id, text }: Toast) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Toasts stay while one of them has the pointer or the focus.
    const isInUse = () => card.current?.parentElement?.matches(':hover, :focus-within') === true;
    const timer = setInterval(() => isInUse() || dismiss(id), SHOWN_MS);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div ref={card} className="toast">
      <Icon name="success" size={18} />
      <p>{text}</p>
      <button type="button" className="icon-button" aria-label="Close message" onClick={() => dismiss(id)}>
        <Icon name="close" size={15} />
      </button>
    </div>
  );
}
