// Writes the generated files: errors.md, configuration.md, drawings.md and openapi.json in docs/, and the outlines of
// letters.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { derivedDocuments } from './derived-documents.js';
import { glyphOutlines } from './glyph-outlines.js';

const root = fileURLToPath(new URL('../../', import.meta.url)); // This file runs in dist/scripts/.
const files = Object.entries(derivedDocuments()).map(([name, text]) => [`docs/${name}`, text] as const);
for (const [path, text] of [...files, ['src/pictures/glyphs.ts', await glyphOutlines()] as const]) {
  writeFileSync(root + path, text);
  console.log(path);
}
