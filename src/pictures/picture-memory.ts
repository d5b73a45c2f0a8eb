// Memory of pictures under way: bounded in bytes for all clients together, and shared fairly among them.
import type { PictureBody, PictureClient } from './rasterize-request.js';

/** The key under which it is counted, and its kind. */
type Owner = Pick<PictureClient, 'fairnessKey' | 'isStranger'>;
export type PictureMemory = ReturnType<typeof createPictureMemory>;

/** Share of all memory for clients without an account together. */
const STRANGERS_PART = 1 / 8;
/** Shorter bodies are handed to the system at once. */
const MIN_HELD_BYTES = 64 * 1024;

export function createPictureMemory(maxBytes: number) {
  /** Bytes by key. */
  const takenBy = new Map<string, number>();
  let left = maxBytes;
  let leftToStrangers = maxBytes * STRANGERS_PART;
  /** Clients of each key to whom a body is being sent: they share its bytes. */
  const receivers = new WeakMap<object, Map<string, number>>();

  function add({ fairnessKey, isStranger }: Owner, bytes: number): void {
    left -= bytes;
    if (isStranger) leftToStrangers -= bytes;
    const taken = (takenBy.get(fairnessKey) ?? 0) + bytes;
    if (taken === 0) takenBy.delete(fairnessKey);
    else takenBy.set(fairnessKey, taken);
  }

  /**
   * Takes bytes of a picture that waits or is drawn. False when there are too few left: what an owner takes beside its
   * first picture may not exceed what it leaves to others.
   */
  function take(owner: Owner, bytes: number): boolean {
    const available = (owner.isStranger ? Math.min(left, leftToStrangers) : left) - bytes;
    const taken = takenBy.get(owner.fairnessKey) ?? 0;
    if (available < 0 || (taken > 0 && taken + bytes > available)) return false;
    add(owner, bytes);
    return true;
  }

  /** Takes a finished picture until it was sent to the client or the client has left; false as of `take`. */
  function hold(client: PictureClient, body: PictureBody): boolean {
    const { fairnessKey } = client;
    if (body.length < MIN_HELD_BYTES) return true;
    // Each connection has a copy of a text of its own.
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
    /** Returns what was taken. */
    free: (owner: Owner, bytes: number) => add(owner, -bytes),
    hold,
    /** Bytes taken. */
    taken: () => maxBytes - left,
  };
}
