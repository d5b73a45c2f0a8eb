// Expected error responses of a service with https in PUBLIC_URL.
import { expect } from 'chai';
import { ERRORS, type ErrorCode, type ErrorDetail } from '../../src/platform/errors.js';

/** Expects the security headers that every response has. */
export function expectSafe({ headers }: Response): void {
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('strict-transport-security')).to.equal('max-age=31536000');
}

export async function expectError(
  response: Response,
  status: number,
  code: ErrorCode,
): Promise<Record<string, unknown>> {
  const text = await response.text();
  expect(response.status, text).to.equal(status);
  expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).to.equal('no-store');
  expectSafe(response);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body).to.have.property('error', code);
  expect(body).to.have.property('message').that.is.a('string').and.not.empty;
  expect(ERRORS[code].status).to.equal(status);
  return body;
}

/** Expects status 400 with details that name this field and its allowed values. Returns the details. */
export async function expectInvalid(response: Response, field: string): Promise<ErrorDetail> {
  const { details } = await expectError(response, 400, 'invalid_request');
  const detail = (details as readonly ErrorDetail[]).find((one) => one.field === field);
  expect(detail?.reason, `${response.url} ${JSON.stringify(details)}`).to.be.a('string').and.not.empty;
  expect(detail?.allowed, `${response.url} ${field}`).to.not.equal(undefined);
  return detail!;
}
