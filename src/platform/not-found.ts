// Error for an unknown name. The name is reported to the features that count unknown names.
import { AppError } from './errors.js';

export const MISSING_KINDS = ['domain', 'slug', 'name'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];

export interface MissingName {
  readonly kind: MissingKind;
  /** Requested name in lower case: a registrable domain, a slug, or a brand name. */
  readonly name: string;
}

const MAX_NAME_CHARACTERS = 60;
/**
 * Maximum length of the requested text. It is greater than `MAX_NAME_CHARACTERS`, because normalization removes spaces
 * and combining marks.
 */
const MAX_WRITTEN_CHARACTERS = 4 * MAX_NAME_CHARACTERS;
export const MISSING_NAME_RULE = `a brand or domain with at most ${MAX_NAME_CHARACTERS} characters`;
/** Matches text that may be a key, a token or an e-mail address. */
const PRIVATE_PATTERN = /[\p{L}\p{N}_]{33}|@|^blzp?_/u;

export class NotFoundError extends AppError {
  constructor(
    message: string,
    readonly missing: readonly MissingName[],
    /** Returns slugs with similar names. Called only for requests with a valid API key. */
    readonly similar?: () => Promise<readonly string[]>,
  ) {
    super('not_found', message);
  }

  async withSimilar(): Promise<NotFoundError> {
    const slugs = (await this.similar?.().catch(() => [])) ?? [];
    return slugs.length === 0
      ? this
      : new NotFoundError(`${this.message} Did you mean ${slugs.join(', ')}?`, this.missing);
  }
}

/**
 * Returns the names that may be counted. Omits text that may be a secret or personal data, and text that cannot be a
 * name.
 */
export function missingNames(kind: MissingKind, ...texts: readonly string[]): readonly MissingName[] {
  return texts.flatMap((text) => {
    // The length is checked first, because normalization takes quadratic time for a long run of combining marks.
    if (text.length > MAX_WRITTEN_CHARACTERS) return [];
    const name = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
    const isName = /[\p{L}\p{N}]/u.test(name) && name.length <= MAX_NAME_CHARACTERS && !PRIVATE_PATTERN.test(name);
    return isName ? [{ kind, name }] : [];
  });
}

/** Passes unknown names to all registered listeners. */
export interface MissingListeners {
  /** Reports unknown names. `asker`: id of the account or client. It is not stored. */
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
