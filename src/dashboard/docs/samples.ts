// A request as code: curl, TypeScript (the typed client), JavaScript (fetch) and Python (requests).
import type { ApiRequest } from './request.js';

export const LANGUAGES = ['curl', 'TypeScript', 'JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

type Reading = 'json' | 'text' | 'bytes' | 'nothing';

/** `media` is the media type of the response; undefined if the response has no body. */
export function sampleOf(language: Language, request: ApiRequest, media: string | undefined): string {
  if (language === 'curl') return curl(request, media);
  return { TypeScript: typeScript, JavaScript: javaScript, Python: python }[language](request, readingOf(media));
}

function readingOf(media: string | undefined): Reading {
  if (media === undefined) return 'nothing';
  if (media.endsWith('json')) return 'json';
  return media.startsWith('text/') || media === 'image/svg+xml' ? 'text' : 'bytes';
}

function curl(request: ApiRequest, media: string | undefined): string {
  const { method, url, headers, body, file } = request;
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl ${quoted(url)}`,
    ...(method === (body === '' && !file ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`${isJson(request) ? '-d' : '--data-binary'} ${quoted(body)}`]),
    ...(file ? [`--data-binary ${quoted(`@${file.name}`)}`] : []),
    // Without this option, curl would write bytes to the terminal.
    ...(readingOf(media) === 'bytes' ? [`-o picture.${media?.split('/')[1] ?? ''}`] : []),
  ].join(' \\\n  ');
}

function literal(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
}

function fieldsOf(headers: ApiRequest['headers']): string {
  return Object.entries(headers)
    .map(([name, value]) => `${literal(name)}: ${literal(value)}`)
    .join(', ');
}

const READ_FILE = ["import { readFile } from 'node:fs/promises';"];
const bytesOf = ({ name }: { readonly name: string }): string => `body: await readFile(${literal(name)})`;

function typeScript(request: ApiRequest, reading: Reading): string {
  const { method, body, file, typed } = request;
  const json = formattedJson(request, 2);
  const options = [
    ...(Object.keys(typed.params).length === 0 ? [] : [`params: ${written(typed.params)}`]),
    ...(body === '' ? [] : [`body: ${json ?? literal(body)}`]),
    ...(file ? [bytesOf(file)] : []),
    ...(reading === 'text' || reading === 'bytes' ? [`parseAs: '${reading === 'text' ? 'text' : 'blob'}'`] : []),
  ];
  const more = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  const call = `blazon.api.${method}(${literal(typed.path)}${more})`;
  return [
    ...(file ? READ_FILE : []),
    `import { Blazon } from 'blazon/client';`,
    '',
    `const blazon = new Blazon(${written({ url: location.origin, ...typed.options })});`,
    ...(reading === 'nothing'
      ? [`const { response } = await ${call};`, 'console.log(response.status);']
      : [`const content = await blazon.data(\n  ${call.replaceAll('\n', '\n  ')},\n);`]),
  ].join('\n');
}

/** Returns TypeScript code for the value. */
export function written(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(
    ([name, each]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${written(each)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function javaScript(request: ApiRequest, reading: Reading): string {
  const { method, url, headers, body, file } = request;
  const json = formattedJson(request, 2);
  const fields = fieldsOf(headers);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)}`]),
    ...(fields === '' ? [] : [`headers: { ${fields} }`]),
    ...(body === '' ? [] : [`body: ${json === undefined ? literal(body) : `JSON.stringify(${json})`}`]),
    ...(file ? [bytesOf(file)] : []),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  const read = { json: 'response.json()', text: 'response.text()', bytes: 'response.blob()' };
  const result = reading === 'nothing' ? 'console.log(response.status);' : `const content = await ${read[reading]};`;
  return [...(file ? [...READ_FILE, ''] : []), `const response = await fetch(${literal(url)}${call});`, result].join(
    '\n',
  );
}

function python(request: ApiRequest, reading: Reading): string {
  const { method, url, headers, body, file } = request;
  const json = formattedJson(request, 4);
  const fields = fieldsOf(headers);
  const values = [
    literal(url),
    ...(fields === '' ? [] : [`headers={${fields}}`]),
    ...(body === '' ? [] : [json === undefined ? `data=${literal(body)}.encode()` : `json=${withPythonNames(json)}`]),
    ...(file ? [`data=open(${literal(file.name)}, 'rb')`] : []),
  ];
  const read = { json: 'response.json()', text: 'response.text', bytes: 'response.content' };
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n${values.map((value) => `    ${value},\n`).join('')})`,
    reading === 'nothing' ? 'print(response.status_code)' : `content = ${read[reading]}`,
  ].join('\n');
}

function isJson({ headers }: ApiRequest): boolean {
  return headers['Content-Type'] === 'application/json';
}

/**
 * Returns the JSON body with line breaks, indented to fit into a list of arguments. Returns undefined if the body has
 * another type, or if its JSON is incomplete.
 */
function formattedJson(request: ApiRequest, spaces: number): string | undefined {
  if (!isJson(request)) return undefined;
  const { body } = request;
  try {
    return JSON.stringify(JSON.parse(body), null, spaces).replaceAll('\n', `\n${' '.repeat(spaces)}`);
  } catch {
    return undefined;
  }
}

/** Replaces the constants of JSON by the constants of Python, except inside strings. */
function withPythonNames(json: string): string {
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => names[token] ?? token);
}
