// Memory of pictures that wait, are drawn or are sent. It is limited in bytes for all clients together, and shared fairly among
// them.
import type { PictureBody, PictureClient } from './rasterize-request.js';

/** The key under which memory is counted, and the kind of client. */
type Owner = Pick<PictureClient, 'fairnessKey' | 'isStranger'>;
export type PictureMemory = ReturnType<typeof createPictureMemory>;

/** Share of the memory for all clients without an account together. */
const STRANGERS_PART = 1 / 8;
/** Size below which bodies are not counted, because the operating system takes them at once. */
const MIN_HELD_BYTES = 64 * 1024;

export function createPictureMemory(maxBytes: number) {
  /** Bytes by key. */
  const takenBy = new Map<string, number>();
  let left = maxBytes;
  let leftToStrangers = maxBytes * STRANGERS_PART;
  /** Number of receiving clients by key, for each body. Clients of the same key share its bytes. */
  const receivers = new WeakMap<object, Map<string, number>>();

  function add({ fairnessKey, isStranger }: Owner, bytes: number): void {
    left -= bytes;
    if (isStranger) leftToStrangers -= bytes;
    const taken = (takenBy.get(fairnessKey) ?? 0) + bytes;
    if (taken === 0) takenBy.delete(fairnessKey);
    else takenBy.set(fairnessKey, taken);
  }

  /**
   * Reserves bytes for a picture that waits or is drawn. Returns false when too few are left. An owner's first picture may use
   * all available memory. With further pictures, the owner may hold at most as much as remains for others.
   */
  function take(owner: Owner, bytes: number): boolean {
    const available = (owner.isStranger ? Math.min(left, leftToStrangers) : left) - bytes;
    const taken = takenBy.get(owner.fairnessKey) ?? 0;
    if (available < 0 || (taken > 0 && taken + bytes > available)) return false;
    add(owner, bytes);
    return true;
  }

  /** Reserves a finished picture until the client has received it or has left. Returns false like `take`. */
  function hold(client: PictureClient, body: PictureBody): boolean {
    const { fairnessKey } = client;
    if (body.length < MIN_HELD_BYTES) return true;
    // Each connection has its own copy of a text.
    const sent = typeof body === 'string' ? {} : body;
    const clients = receivers.get(sent) ?? new Map<string, number>();
    if (!clients.has(fairnessKey) && !take(client, body.length)) return false;
    receivers.set(sent, clients);
    clients.set(fairnessKey, (clients.get(fairnessKey) ?? 0) + 1);
    client.onceAnswered(() => {
      const others = (clients.get(fairnessKey) ?? 0) - 1;
      clients.set(fairnessKey, others);
      if (others > 0) return;
      clients.delete(fairnessKey);
      add(client, -body.length);
    });
    return true;
  }

  return {
    take,
    /** Releases reserved bytes. */
    free: (owner: Owner, bytes: number) => add(owner, -bytes),
    hold,
    /** Returns the number of reserved bytes. */
    taken: () => maxBytes - left,
  };
}
