import { expect } from 'chai';
import { DRAWING_REJECTIONS, type DrawingRejectionCode } from '../../src/platform/drawing-rejections.js';
import { DRAWINGS_PAGE, rejectionDetail, rejectionText } from '../../src/catalog/rejection-text.js';
import { AppError } from '../../src/platform/errors.js';
import { guideAddress, readGuide } from '../../src/platform/http/pages/guides.js';
import { errorBody, MAX_ERROR_BYTES } from '../../src/platform/http/response/error-body.js';

const CODES = Object.keys(DRAWING_REJECTIONS) as DrawingRejectionCode[];

describe('the text of a rejected drawing', () => {
  it('says what is wrong, where, and what to do', () => {
    const rejected = { ok: false, reason: 'text', message: 'the file has <text>', element: 'text', line: 3 } as const;
    expect(rejectionText(rejected)).to.equal(
      `The SVG ${DRAWING_REJECTIONS.text.what} (<text>, line 3). ${DRAWING_REJECTIONS.text.advice}`,
    );
    expect(rejectionDetail('body', rejected)).to.deep.equal({
      ...{ field: 'body', reason: `${DRAWING_REJECTIONS.text.what} (<text>, line 3)` },
      ...{
        code: 'text',
        element: 'text',
        line: 3,
        advice: DRAWING_REJECTIONS.text.advice,
        help: '/docs/guides/drawings#text',
      },
    });
  });

  it('has no element and no line if the whole file is the reason', () => {
    const detail = rejectionDetail('a.svg', { ok: false, reason: 'too_large', message: '9 characters' });
    expect(detail).to.not.have.any.keys('element', 'line');
    expect(detail.reason).to.equal('is too large (9 characters)');
  });

  it('has a section in the guide under its URL', () => {
    const guide = readGuide('drawings', 'http://localhost:3000').html;
    expect(DRAWINGS_PAGE).to.equal(guideAddress('drawings'));
    for (const reason of CODES) {
      const { help = '' } = rejectionDetail('body', { ok: false, reason, message: '' });
      expect(guide, help).to.include(` id="${new URL(help, 'http://localhost').hash.slice(1)}"`);
    }
  });

  it('has two sentences for every code, and a bounded length for any file', () => {
    const long = 'x'.repeat(10_000);
    for (const reason of CODES) {
      const rejected = { ok: false, reason, message: long, element: long, line: 1 } as const;
      expect(rejectionText(rejected), reason).to.match(/^The SVG [^.]+… ?, line 1\)\. [A-Z].*\.$/);
      const error = new AppError('unprocessable', rejectionText(rejected), {
        details: [rejectionDetail('body', rejected)],
      });
      const body = JSON.parse(errorBody(error)) as { details: object[] };
      expect(body.details[0], reason).to.include({ code: reason, line: 1 });
      expect(errorBody(error).length).to.be.below(MAX_ERROR_BYTES);
    }
  });
});
