// What a handler answers, free of the web framework.
import { ERRORS, type AppError, type ErrorCode } from '../errors.js';

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text goes out in one write together with the head, bytes in a second; so text is sent as text. */
  readonly body: string | Uint8Array | null;
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    kind: 'reply',
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function content(body: string | Uint8Array, contentType: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'reply', status: 200, headers: { 'Content-Type': contentType, ...headers }, body };
}

/** 308 keeps the method; short-lived, because a name may move again. */
export function permanentRedirect(location: string): Reply {
  return { kind: 'reply', status: 308, headers: { Location: location, 'Cache-Control': 'private, max-age=300' }, body: null };
}

export function errorReply(error: AppError, headers: Readonly<Record<string, string>> = {}): Reply {
  const { code, message, details, retryAfterSeconds } = error;
  return json(
    error.status,
    { error: code, message, ...(details && { details }) },
    {
      ...headers,
      'Cache-Control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
  );
}

/** Codes grouped by status, for the documents. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return groups;
}
