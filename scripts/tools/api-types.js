// The types of the API for the dashboard, made of docs/openapi.json.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const document = new URL('../../docs/openapi.json', import.meta.url);
const types = astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8'))));
writeFileSync(
  new URL('../../src/dashboard/api/openapi.d.ts', import.meta.url),
  `// Types of the API, made of docs/openapi.json by scripts/tools/api-types.js.\n${types}`,
);
