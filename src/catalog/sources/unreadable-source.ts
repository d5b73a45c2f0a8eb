// Errors about icon sources that cannot be read, in the operator's terms.
import { resolve } from 'node:path';
import { ZodError } from 'zod';
import { AppError } from '../../platform/errors.js';

/** The AppError `invalid_request` that names the path, the reason and what is expected there. */
export function unreadable(path: string, cause: unknown, expected: string): AppError {
  const reason = reasonOf(cause);
  return new AppError('invalid_request', `${resolve(path)}: ${reason}; expected ${expected}`, { cause });
}

/** The AppError `invalid_request` that names an installed package, the reason and how to go on. */
export function unreadablePackage(name: string, cause: unknown): AppError {
  const message = `The package ${name} cannot be read: ${reasonOf(cause)}. Install it: npm ci in a clone, else npm install ${name}.`;
  return new AppError('invalid_request', message, { cause });
}

/** A sentence for errors by the file system, by JSON.parse and by a schema; the message of others. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return `it has other fields than expected (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`;
  }
  if (error instanceof SyntaxError) return `it is not JSON (${error.message})`;
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return 'there is no such file or folder';
    case 'ENOTDIR':
      return 'there is a file in place of a folder';
    case 'EACCES':
    case 'EPERM':
      return 'this process has no permission to read it';
    default:
      return error.message;
  }
}
