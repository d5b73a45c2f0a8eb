// Errors of the Stripe API.

interface ErrorFields {
  readonly type: 'invalid_request_error' | 'api_error' | 'idempotency_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fields: ErrorFields,
  ) {
    super(fields.message);
  }
}

/** 400 of one parameter. */
export function invalid(message: string, param: string, code?: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, param, ...(code !== undefined && { code }) });
}

/** 400 of the object's state, which no parameter is to blame for. */
export function refused(message: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message });
}

/** 404 when the path names it, 400 when a parameter does. */
export function missing(what: string, id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param: param ?? 'id',
  });
}
