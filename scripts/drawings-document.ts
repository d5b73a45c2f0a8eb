// Generates docs/drawings.md: which drawings are accepted, and how to fix rejected ones.
import { DRAWING_REJECTIONS, type DrawingRejection } from '../src/platform/drawing-rejections.js';
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

This page explains which SVG files Blazon accepts, and how to fix a rejected file. A *drawing* is the SVG file of a logo. Blazon stores a
sanitized copy of every uploaded or imported drawing. In each format (SVG, PNG, WebP), this copy looks like the original file in a browser. If
the copy would look different from the file, the file is rejected. Visible parts are never removed silently.

- [Accepted](#accepted)
- [Rejected](#rejected)

## Accepted

- SVG files in UTF-8, UTF-16, or another encoding that browsers know and the XML declaration names, such as \`windows-1252\`.
- The same files compressed with gzip (\`.svgz\`). The limits below apply to the unzipped file.
- Paths, shapes, groups, symbols, nested SVGs, and \`use\` of elements in the same file.
- Colors, gradients, patterns, strokes, markers, opacity, clips, masks, blend modes, and filters that are not too costly.
- CSS in \`style\` attributes and \`<style>\`: selectors, variables, and media rules that apply to light screens.
- At most ${number(LIMITS.sourceChars)} characters (1 MiB for an upload), ${number(LIMITS.elements)} elements, ${LIMITS.depth} levels, and ${number(LIMITS.pathChars)} characters of path data.

Parts that draw nothing are removed: scripts, event handlers, links, comments, metadata, editor data, hidden text, unused definitions, and shapes
without paint.

## Rejected

The response to a rejected file is 422 \`unprocessable\`. Its \`details\` contain the \`code\` of the rejection, the \`element\`, the \`line\` in the file, and \`advice\`.
\`PUT /v1/brands\` returns these details for each file of an archive. \`catalog import\` and \`brands push\` print the name of the file and the advice. A rejected file
changes nothing, so an earlier drawing is kept. To see the sanitized drawing before you store it, use \`POST /v1/drawings\` or the dashboard.

${sections.join('\n')}`;
}
