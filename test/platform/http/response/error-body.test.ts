// Size of error responses.
import { expect } from 'chai';
import { AppError, invalidField, invalidFields, shortened, type ErrorDetail } from '../../../../src/platform/errors.js';
import { errorBody, MAX_DETAILS, MAX_ERROR_BYTES } from '../../../../src/platform/http/response/error-body.js';

const parsed = (error: AppError) =>
  JSON.parse(errorBody(error)) as { error: string; message: string; details?: ErrorDetail[] };

describe('error body', () => {
  it('names ten fields, the number of others, and the allowed values once', () => {
    const allowed = ['size', 'color'];
    const error = invalidFields(
      Array.from({ length: 32 }, (_, index) => ({ field: `f${index}`, reason: 'unknown parameter', allowed })),
    );
    const { message, details = [] } = parsed(error);
    expect(message).to.equal('f0: unknown parameter (and 31 more)');
    expect(details).to.have.length(MAX_DETAILS);
    expect(details[0]).to.deep.equal({ field: 'f0', reason: 'unknown parameter', allowed });
    for (const detail of details.slice(1)) expect(detail).to.have.all.keys('field', 'reason');
  });

  it('names the allowed values of each field if they differ', () => {
    const details = [
      { field: 'size', reason: 'not within 8..2048', allowed: '8..2048' },
      { field: 'scale', reason: 'not within 1..4', allowed: '1..4' },
    ];
    expect(parsed(invalidFields(details)).details).to.deep.equal(details);
  });

  it('shortens names, and keeps the reason', () => {
    const { message, details } = parsed(invalidField('x'.repeat(16_000), 'unknown parameter'));
    expect(message).to.match(/^x{40}…: unknown parameter$/);
    expect(details?.[0]?.field).to.match(/^x{40}…$/);
    expect(shortened(`${'x'.repeat(39)}😀`)).to.equal(`${'x'.repeat(39)}…`);
    expect(shortened('x'.repeat(40))).to.equal('x'.repeat(40));
  });

  it('never exceeds its bound', () => {
    const worst = '\u0001'.repeat(20_000);
    for (const error of [
      new AppError('not_found', worst),
      invalidField(worst, worst, worst),
      invalidFields(
        Array.from({ length: 100 }, (_, index) => ({
          field: worst,
          reason: worst,
          allowed: [`${index}${'😀'.repeat(500)}`],
        })),
      ),
    ]) {
      expect(Buffer.byteLength(errorBody(error))).to.be.at.most(MAX_ERROR_BYTES);
      expect(parsed(error).error).to.equal(error.code);
    }
  });
});
