// Generates the types of the API for the dashboard and the client from docs/openapi.json.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../docs/openapi.json', import.meta.url);
const types = astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8')))).replaceAll(
  // Replaces the type of each request body that is not JSON. The generated type is only `string`, but the client can
  // also send bytes.
  /(requestBody: \{\n\s+content: \{\n\s+(?:\/\*\*[^*]*\*\/\s+)?"[\w.+-]+\/[\w.+-]+"): string;/g,
  '$1: string | Blob | ArrayBuffer | ArrayBufferView;',
);
for (const folder of ['dashboard/api', 'client'])
  writeFileSync(
    new URL(`../src/${folder}/openapi.d.ts`, import.meta.url),
    `// Types of the API, made of docs/openapi.json by scripts/api-types.js.\n${types}`,
  );
