// Skipped icons of an import, each with its reason.
import { messageOf } from '../../errors.js';

export interface SkippedIcon {
  readonly source: string;
  readonly key: string;
  /** `license`, `syntax-error`, `hidden`, … or one of the sanitizer's reasons; `failed` is a bug that this icon met. */
  readonly reason: string;
  readonly message: string;
  /** The license for which it was skipped, and why such are not imported. */
  readonly license?: { readonly type: string; readonly because: string };
}

/** Skips an icon of one source. */
export type Skip = (key: string, reason: string, message: string) => void;

const MAX_KEY_CHARS = 200;

/**
 * Controls, and halves of surrogate pairs: two keys that differ in those alone are one in UTF-8, as the store keeps
 * them.
 */
export function isUsableKey(key: string): boolean {
  return key !== '' && key.length <= MAX_KEY_CHARS && !/[\p{Cc}\p{Cs}]/u.test(key);
}

/** An error of one icon skips that icon alone: `skip` gets its message, and the result is undefined. */
export function skipOnError<Result>(work: () => Result, skip: (message: string) => void): Result | undefined {
  try {
    return work();
  } catch (error) {
    skip(messageOf(error));
    return undefined;
  }
}
