// Write probe: writes a temporary key to a master, for the readiness check.
import type { Redis } from 'ioredis';

const LIFETIME_MS = 1000;
/**
 * Maximum number of keys that are tried until one belongs to a hash slot of the master. If a master has fewer than 1 %
 * of all slots, maybe none of these keys belongs to it.
 */
const MOST_KEYS = 1000;

/**
 * Returns a check that writes a key to a master. It rejects with the driver's error if the master rejects the write.
 */
export function createWriteProbe(): (master: Redis) => Promise<void> {
  /** Address of a master → number of the key that belongs to a hash slot of this master. */
  const numbers = new Map<string, number>();
  return async (master) => {
    const address = `${master.options.host ?? ''}:${master.options.port ?? ''}`;
    const first = numbers.get(address) ?? 0;
    for (let tried = 0; tried < MOST_KEYS; tried++) {
      const number = (first + tried) % MOST_KEYS;
      numbers.set(address, number);
      try {
        await master.set(`write-probe:${number}`, '', 'PX', LIFETIME_MS);
        return;
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('MOVED ')) throw error;
      }
    }
    await master.ping();
  };
}
