// Queue of the short messages.

export interface Toast {
  readonly id: number;
  readonly text: string;
}

const listeners = new Set<() => void>();
let queue: readonly Toast[] = [];
let latestId = 0;

export function announce(text: string): void {
  latestId += 1;
  replaceQueue([...queue, { id: latestId, text }]);
}

export function dismiss(id: number): void {
  replaceQueue(queue.filter((toast) => toast.id !== id));
}

/** Oldest first. */
export function queuedToasts(): readonly Toast[] {
  return queue;
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function replaceQueue(next: readonly Toast[]): void {
  queue = next;
  for (const listener of listeners) listener();
}
