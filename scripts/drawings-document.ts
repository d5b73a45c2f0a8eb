// docs/drawings.md: which drawings are accepted, and what to do about others.
import { DRAWING_REJECTIONS, type DrawingRejection } from '../src/catalog/drawing-rejections.js';
import { LIMITS } from '../workers/svg/drawing-limits.js';

const number = (value: number): string => value.toLocaleString('en-US');

function listed(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${title}: ${names.map((name) => `\`${name}\``).join(', ')}.`];
}

export function drawingsDocument(): string {
  const sections = Object.entries<DrawingRejection>(DRAWING_REJECTIONS).map(
    ([code, { what, elements, attributes, advice }]) => {
      const named = [
        ...listed(
          'Elements',
          elements.map((name) => `<${name}>`),
        ),
        ...listed('Attributes and properties', attributes),
      ];
      return `### ${code}

${[`The drawing ${what}.`, ...named].join(' ')}

**What to do:** ${advice}
`;
    },
  );
  return `
# Drawings

Blazon keeps a safe copy of every SVG that is uploaded or imported. An accepted drawing looks the way its file does in a browser, as SVG, PNG
and WebP. A drawing that cannot be kept as it is gets rejected. Nothing that can be seen is dropped silently.

## Accepted

- SVG files in UTF-8, in UTF-16, or in an encoding that their XML declaration names and browsers know, such as \`windows-1252\`.
- The same files in gzip (\`.svgz\`). The limits are those of the unzipped file.
- Paths, shapes, groups, symbols, nested SVGs, and \`use\` of elements in the same file.
- Colors, gradients, patterns, strokes, markers, opacity, clips, masks, blend modes, and filters that do not cost too much.
- CSS in \`style\` attributes and \`<style>\`: selectors, variables of the file, and the rules for light screens.
- At most ${number(LIMITS.sourceChars)} characters (1 MiB for an upload), ${number(LIMITS.elements)} elements, ${LIMITS.depth} levels, and ${number(LIMITS.pathChars)} characters of path data.

Scripts, event handlers, links, comments, metadata and data of editors are removed, because they draw nothing.
So is what cannot be seen: hidden text, unused definitions, shapes without paint.

## Rejected

The API answers 422 \`unprocessable\`. \`details\` has the \`code\` of the rejection, the \`element\`, its \`line\` in the file, and the \`advice\`.
\`PUT /v1/brands\` has the same for each file of an archive. \`catalog import\` and \`brands push\` name the file and the advice. Rejected files
replace nothing: the drawing that was stored before stays. \`POST /v1/drawings\` and the dashboard show the result before anything is stored.

${sections.join('\n')}`;
}
