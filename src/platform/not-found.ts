// Error for an unknown name. It also reports the name to the features that count missing names.
import { AppError } from './errors.js';

export const MISSING_KINDS = ['domain', 'slug', 'name'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];

export interface MissingName {
  readonly kind: MissingKind;
  /** Lower case; a registrable domain, a slug, or the brand name that was searched for. */
  readonly name: string;
}

const MAX_NAME_CHARACTERS = 60;
/** Includes spaces and marks that normalization removes. */
const MAX_WRITTEN_CHARACTERS = 4 * MAX_NAME_CHARACTERS;
export const MISSING_NAME_RULE = `a brand or domain with at most ${MAX_NAME_CHARACTERS} characters`;
/** Matches text as long as a key or a token, and possible e-mail addresses. */
const PRIVATE_PATTERN = /[\p{L}\p{N}_]{33}|@|^blzp?_/u;

/** `not_found` with the requested names. */
export class NotFoundError extends AppError {
  constructor(
    message: string,
    readonly missing: readonly MissingName[],
    /** Finds slugs with a similar name. Called only for callers with a valid key. */
    readonly similar?: () => Promise<readonly string[]>,
  ) {
    super('not_found', message);
  }

  /** Adds similar names to the message. */
  async withSimilar(): Promise<NotFoundError> {
    const slugs = (await this.similar?.().catch(() => [])) ?? [];
    return slugs.length === 0
      ? this
      : new NotFoundError(`${this.message} Did you mean ${slugs.join(', ')}?`, this.missing);
  }
}

/**
 * Returns the names that may be counted. Omits texts that could be secret or personal, and texts that cannot be a name.
 */
export function missingNames(kind: MissingKind, ...texts: readonly string[]): readonly MissingName[] {
  return texts.flatMap((text) => {
    // Checked before the normalization, which takes quadratic time for a run of combining marks.
    if (text.length > MAX_WRITTEN_CHARACTERS) return [];
    const name = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
    const isName = /[\p{L}\p{N}]/u.test(name) && name.length <= MAX_NAME_CHARACTERS && !PRIVATE_PATTERN.test(name);
    return isName ? [{ kind, name }] : [];
  });
}

/** Passes missing names to the features that listen. */
export interface MissingListeners {
  /** Reports missing names. `asker`: an account or a client; it is not stored. */
  count(asker: string, names: readonly MissingName[]): void;
  listen(listener: MissingListeners['count']): void;
}

export function createMissingListeners(): MissingListeners {
  const listeners: MissingListeners['count'][] = [];
  return {
    count: (asker, names) => listeners.forEach((listener) => listener(asker, names)),
    listen: (listener) => void listeners.push(listener),
  };
}
