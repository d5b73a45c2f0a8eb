// Small drawings in test/data/expected-drawings, each with the exact output of the sanitizer.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';

const FOLDER = 'test/data/expected-drawings/';
const REWRITES = process.env.BLAZON_REWRITE_DRAWINGS === '1';

/** Root element of all drawings whose files omit the root element. */
const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">';
const WRITTEN_ROOT = '<svg viewBox="0 0 24 24" xmlns="http://www.w3.org/2000/svg">';

interface Drawing {
  readonly name: string;
  readonly source: string;
  readonly expected: string;
}

/**
 * Parses a file. Each drawing consists of a line `# name`, lines of source, and a line `=> ` with the expected output.
 */
function drawingsOf(text: string): readonly Drawing[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const nameEnd = part.indexOf('\n');
      const [source = '', expected = ''] = part.slice(nameEnd + 1).split(/^=> ?/m);
      return { name: part.slice(0, nameEnd).trim(), source: source.trim(), expected: expected.trim() };
    });
}

function fileOf(drawings: readonly Drawing[]): string {
  return drawings.map(({ name, source, expected }) => `# ${name}\n${source}\n=> ${expected}\n`).join('\n');
}

/** Returns the colors and the sanitized drawing, or the reason of the rejection. */
function resultOf(source: string): string {
  const reply = sanitizeSvg(/^<(?:svg xmlns|[?!])/.test(source) ? source : `${ROOT}${source}</svg>`);
  if (!reply.ok) {
    const { reason, message, element, line } = reply;
    const place = [...(element === undefined ? [] : [`<${element}>`]), ...(line === undefined ? [] : [`line ${line}`])];
    return [`rejected: ${reason}`, ...place].join(', ') + `\n${message}`;
  }
  const { svg, colors, recolorable } = reply;
  const inside = svg.startsWith(WRITTEN_ROOT) ? svg.slice(WRITTEN_ROOT.length, -'</svg>'.length) : svg;
  return `${recolorable ? 'one color' : 'colors'}: ${colors.join(' ')}\n${inside}`;
}

describe('expected drawings', () => {
  for (const file of readdirSync(FOLDER)) {
    const drawings = drawingsOf(readFileSync(FOLDER + file, 'utf8'));

    if (REWRITES) {
      it(`${file} is rewritten`, () => {
        const results = drawings.map((drawing) => ({ ...drawing, expected: resultOf(drawing.source) }));
        writeFileSync(FOLDER + file, fileOf(results));
      });
      continue;
    }
    describe(file, () => {
      for (const { name, source, expected } of drawings) it(name, () => expect(resultOf(source)).to.equal(expected));

      it('has a different name for each drawing', () => {
        expect(new Set(drawings.map(({ name }) => name)).size).to.equal(drawings.length);
      });
    });
  }
});
