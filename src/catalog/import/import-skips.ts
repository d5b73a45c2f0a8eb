// Skipped icons of an import, each with its reason.
import type { RejectedDrawing } from '../../platform/drawing-rejections.js';
import { messageOf } from '../../platform/errors.js';

export interface SkippedIcon {
  readonly source: string;
  readonly key: string;
  /**
   * `license`, `syntax-error`, `hidden`, … or one of the sanitizer's reasons. The reason `failed` means a bug in the
   * import.
   */
  readonly reason: string;
  readonly message: string;
  /** License of the icon, and the reason why the operator's policy rejects it. */
  readonly license?: { readonly type: string; readonly because: string };
  /** Name of the element that caused the rejection of the drawing, and its line (the first line is 1). */
  readonly element?: string;
  readonly line?: number;
  /** True if the drawing of the earlier import stays in the catalog. */
  readonly kept?: true;
}

interface RejectedVariant {
  readonly icon: string;
  readonly variant: string;
  readonly rejected: RejectedDrawing;
}

/** Records that an icon of a source, or one of the icon's drawings, is skipped. */
export type Skip = (key: string, reason: string, message: string, drawing?: RejectedVariant) => void;

const MAX_KEY_CHARS = 200;

/**
 * Returns false for a key with control characters or lone surrogates. In UTF-8, which the store uses, all lone
 * surrogates become the same character. Two keys could then become equal.
 */
export function isUsableKey(key: string): boolean {
  return key !== '' && key.length <= MAX_KEY_CHARS && !/[\p{Cc}\p{Cs}]/u.test(key);
}

/**
 * Returns the result of `work`. If it fails, calls `skip` with the message and returns undefined, so that one bad icon
 * doesn't end the import.
 */
export function skipOnError<Result>(work: () => Result, skip: (message: string) => void): Result | undefined {
  try {
    return work();
  } catch (error) {
    skip(messageOf(error));
    return undefined;
  }
}
