// Command that writes the derived documents: docs/errors.md, docs/configuration.md, docs/openapi.json.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { derivedDocuments } from './derived-documents.js';

const root = fileURLToPath(new URL('../../docs/', import.meta.url)); // from dist/scripts/
for (const [name, text] of Object.entries(derivedDocuments())) {
  writeFileSync(root + name, text);
  console.log(`docs/${name}`);
}
