// Errors for the operator about icon sources that cannot be read.
import { resolve } from 'node:path';
import { ZodError } from 'zod';
import { AppError } from '../../platform/errors.js';

/** Creates an AppError `invalid_request` that states the path, the reason and the expected content. */
export function unreadable(path: string, cause: unknown, expected: string): AppError {
  const reason = unreadableReason(cause);
  return new AppError('invalid_request', `${resolve(path)}: ${reason}; expected ${expected}`, { cause });
}

/** Creates an AppError `invalid_request` that states the package, the reason and what to do. */
export function unreadablePackage(name: string, cause: unknown): AppError {
  const message = `The package ${name} cannot be read: ${unreadableReason(cause)}. Install it: run npm ci in a clone, otherwise npm install ${name}.`;
  return new AppError('invalid_request', message, { cause });
}

/**
 * Returns the reason as a sentence, for errors of the file system, of JSON.parse and of schemas. Returns the message of
 * any other error.
 */
export function unreadableReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return `the file has unexpected fields (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`;
  }
  if (error instanceof SyntaxError) return `the file is not JSON (${error.message})`;
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'ENOTDIR':
      return 'there is a file instead of a folder';
    case 'EACCES':
    case 'EPERM':
      return 'this process does not have permission to read the file or folder';
    default:
      return error.message;
  }
}
