// Errors of the Stripe API.

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fields: {
      readonly type: 'invalid_request_error' | 'api_error' | 'idempotency_error';
      readonly message: string;
      readonly code?: string;
      readonly param?: string;
    },
  ) {
    super(fields.message);
  }
}

/** 400; of the object's state without a parameter. */
export function invalid(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(param !== undefined && { param }),
    ...(code !== undefined && { code }),
  });
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
