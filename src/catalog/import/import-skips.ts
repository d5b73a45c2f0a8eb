// Skipped icons of an import, each with its reason.
import type { RejectedDrawing } from '../../platform/drawing-rejections.js';
import { messageOf } from '../../platform/errors.js';

export interface SkippedIcon {
  readonly source: string;
  readonly key: string;
  /** `license`, `syntax-error`, `hidden`, … or one of the sanitizer's reasons; `failed` is a bug that this icon met. */
  readonly reason: string;
  readonly message: string;
  /** The license for which it was skipped, and why such are not imported. */
  readonly license?: { readonly type: string; readonly because: string };
  /** Of a rejected drawing: name of the element that is the reason, and its line in the file, from 1. */
  readonly element?: string;
  readonly line?: number;
  /** The drawing of the earlier import stays in the catalog. */
  readonly kept?: true;
}

/** Drawing of an icon that the sanitizer has rejected. */
interface RejectedVariant {
  readonly icon: string;
  readonly variant: string;
  readonly rejected: RejectedDrawing;
}

/** Skips an icon of one source, or one of its drawings. */
export type Skip = (key: string, reason: string, message: string, drawing?: RejectedVariant) => void;

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
