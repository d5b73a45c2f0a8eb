// Text for a rejected drawing: what is wrong, where it is, and what to do.
import { shortened, type ErrorDetail } from '../platform/errors.js';
import { DRAWING_REJECTIONS, type RejectedDrawing } from '../platform/drawing-rejections.js';

/** Path of the guide about drawings. Links append the code of the rejection as a fragment. */
export const DRAWINGS_PAGE = '/docs/guides/drawings';

const MAX_MESSAGE_CHARACTERS = 160;
const MAX_ELEMENT_CHARACTERS = 60;

/** Returns a text such as "The SVG contains text (<text>, line 3). Convert text to outlines." */
export function rejectionText(rejected: RejectedDrawing): string {
  const { what, advice } = DRAWING_REJECTIONS[rejected.reason];
  return `The SVG ${what} (${placeOf(rejected)}). ${advice}`;
}

/** Returns the error detail. `field` is `body` or the name of the file. */
export function rejectionDetail(field: string, rejected: RejectedDrawing): ErrorDetail {
  const { reason: code, element, line } = rejected;
  const { what, advice } = DRAWING_REJECTIONS[code];
  return {
    ...{ field, reason: `${what} (${placeOf(rejected)})`, code },
    ...(element !== undefined && { element: shortened(element, MAX_ELEMENT_CHARACTERS) }),
    ...(line !== undefined && { line }),
    ...{ advice, help: `${DRAWINGS_PAGE}#${code}` },
  };
}

function placeOf({ message, element, line }: RejectedDrawing): string {
  const isNamed = element !== undefined && message.startsWith(`the file has <${element}>`);
  const what = isNamed ? `<${element}>` : message;
  return [shortened(what, MAX_MESSAGE_CHARACTERS), ...(line === undefined ? [] : [`line ${line}`])].join(', ');
}
