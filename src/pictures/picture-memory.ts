// Limits the memory of the pictures that are waiting, being drawn or being sent. All clients share one limit in bytes,
// fairly.
import type { PictureBody, PictureClient } from './rasterize-request.js';

/** Client for whom memory is reserved. */
type Owner = Pick<PictureClient, 'fairnessKey' | 'isStranger'>;
export type PictureMemory = ReturnType<typeof createPictureMemory>;

/** Share of the memory that all clients without an account may use together. */
const STRANGERS_PART = 1 / 8;
/** Smaller bodies are not counted, because the operating system buffers them immediately. */
const MIN_HELD_BYTES = 64 * 1024;

export function createPictureMemory(maxBytes: number) {
  /** `fairnessKey` → reserved bytes. */
  const takenBy = new Map<string, number>();
  let left = maxBytes;
  let leftToStrangers = maxBytes * STRANGERS_PART;
  /**
   * Body → `fairnessKey` (account or client) → number of connections that receive the body. The bytes of a body are
   * reserved once per `fairnessKey`.
   */
  const receivers = new WeakMap<object, Map<string, number>>();

  function add({ fairnessKey, isStranger }: Owner, bytes: number): void {
    left -= bytes;
    if (isStranger) leftToStrangers -= bytes;
    const taken = (takenBy.get(fairnessKey) ?? 0) + bytes;
    if (taken === 0) takenBy.delete(fairnessKey);
    else takenBy.set(fairnessKey, taken);
  }

  /**
   * Reserves bytes for a picture that waits or is drawn. Returns false if too few bytes are left. All clients without
   * an account together can use only `leftToStrangers`. The first picture of a client may use all bytes that are left
   * to it. Each further picture must leave at least as many bytes to the client as the client then holds.
   */
  function take(owner: Owner, bytes: number): boolean {
    const available = (owner.isStranger ? Math.min(left, leftToStrangers) : left) - bytes;
    const taken = takenBy.get(owner.fairnessKey) ?? 0;
    if (available < 0 || (taken > 0 && taken + bytes > available)) return false;
    add(owner, bytes);
    return true;
  }

  /**
   * Reserves the bytes of a finished picture until the client has received it or has disconnected. Returns false if too
   * few bytes are left.
   */
  function hold(client: PictureClient, body: PictureBody): boolean {
    const { fairnessKey } = client;
    if (body.length < MIN_HELD_BYTES) return true;
    // Strings are counted for each connection, because every connection gets its own copy.
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
    free: (owner: Owner, bytes: number) => add(owner, -bytes),
    hold,
    taken: () => maxBytes - left,
  };
}
