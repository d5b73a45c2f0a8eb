// One reading for all who ask while another is under way.

/** Each call gets a reading that began after it; any number of calls at once cost two at most. */
export function createSharedReading<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<unknown> | undefined;
  let next: Promise<Result> | undefined;

  async function begin(after: Promise<unknown> | undefined): Promise<Result> {
    await after?.catch(() => undefined);
    next = undefined;
    const reading = read();
    current = reading;
    try {
      return await reading;
    } finally {
      if (current === reading) current = undefined;
    }
  }

  return () => (next ??= begin(current));
}
