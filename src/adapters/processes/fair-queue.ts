// A few pieces of work at a time, and a short queue before them that askers share: nobody's crowd keeps others out of it.
import { AppError } from '../../errors.js';

interface Options {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export interface FairQueue {
  /**
   * Askers that wait take turns, the pieces of one asker in their order; a lone one may have everything. Throws AppError
   * `busy` when there is no place, or when the place was taken back for an asker who has fewer; then it was not begun.
   */
  run<Result>(asker: string, work: () => Promise<Result>): Promise<Result>;
  /** Whether this asker would be refused now. */
  isFull(asker: string): boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: AppError) => void;
}

export function fairQueue({ atOnce, maxWaiting }: Options): FairQueue {
  /** Those that wait, none of them empty; the first asker is next. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  /** Among equals the one whose turn comes last. */
  function longest(): Waiting[] {
    return [...lines.values()].reduce((heavy, line) => (line.length >= heavy.length ? line : heavy), []);
  }

  /**
   * A place changes hands only where that makes the shares more even: askers with equal shares would take it from each other
   * for ever, and each time cost what is counted before a hash.
   */
  function isFull(asker: string): boolean {
    return running >= atOnce && waiting >= maxWaiting && (lines.get(asker)?.length ?? 0) + 1 >= longest().length;
  }

  function wait(asker: string): Promise<void> {
    if (isFull(asker)) return Promise.reject(new AppError('busy'));
    if (waiting >= maxWaiting) {
      longest().pop()?.refuse(new AppError('busy'));
      waiting--;
    }
    return new Promise((begin, refuse) => {
      const line = lines.get(asker) ?? [];
      line.push({ begin, refuse });
      lines.set(asker, line);
      waiting++;
    });
  }

  /** Hands the place of what has ended to the next one, whose asker then goes behind all others. */
  function next(): void {
    const [first] = lines;
    if (!first) {
      running--;
      return;
    }
    const [asker, line] = first;
    lines.delete(asker);
    line.shift()?.begin();
    waiting--;
    if (line.length > 0) lines.set(asker, line);
  }

  return {
    async run(asker, work) {
      if (running < atOnce) running++;
      else await wait(asker);
      try {
        return await work();
      } finally {
        next();
      }
    },
    isFull,
  };
}
