// A request as code: curl, JavaScript (fetch) and Python (requests).
import type { ApiRequest } from './request.js';

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

type Reading = 'json' | 'text' | 'bytes' | 'nothing';

interface Sample {
  readonly request: ApiRequest;
  /** Media type of the response; undefined: it has no body. */
  readonly media: string | undefined;
}

export function sampleOf(language: Language, sample: Sample): string {
  return { curl, JavaScript: javaScript, Python: python }[language](sample);
}

function readingOf(media: string | undefined): Reading {
  if (media === undefined) return 'nothing';
  if (media.endsWith('json')) return 'json';
  return media.startsWith('text/') || media === 'image/svg+xml' ? 'text' : 'bytes';
}

function curl({ request: { method, url, headers, body }, media }: Sample): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl ${quoted(url)}`,
    ...(method === (body === '' ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${quoted(body)}`]),
    // Bytes would be written to the terminal.
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

function javaScript({ request: { method, url, headers, body }, media }: Sample): string {
  const json = formattedJson(body, 2);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${fieldsOf(headers)} }`]),
    ...(body === '' ? [] : [`body: ${json === undefined ? literal(body) : `JSON.stringify(${json})`}`]),
  ];
  const call = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  const read = { json: 'response.json()', text: 'response.text()', bytes: 'response.blob()' };
  const reading = readingOf(media);
  const result = reading === 'nothing' ? 'console.log(response.status);' : `const content = await ${read[reading]};`;
  return `const response = await fetch(${literal(url)}${call});\n${result}`;
}

function python({ request: { method, url, headers, body }, media }: Sample): string {
  const json = formattedJson(body, 4);
  const values = [
    literal(url),
    ...(Object.keys(headers).length === 0 ? [] : [`headers={${fieldsOf(headers)}}`]),
    ...(body === '' ? [] : [json === undefined ? `data=${literal(body)}` : `json=${withPythonNames(json)}`]),
  ];
  const read = { json: 'response.json()', text: 'response.text', bytes: 'response.content' };
  const reading = readingOf(media);
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n${values.map((value) => `    ${value},\n`).join('')})`,
    reading === 'nothing' ? 'print(response.status_code)' : `content = ${read[reading]}`,
  ].join('\n');
}

/** As an argument that is indented once; undefined: the reader's text is not JSON (yet). */
function formattedJson(body: string, spaces: number): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, spaces).replaceAll('\n', `\n${' '.repeat(spaces)}`);
  } catch {
    return undefined;
  }
}

/** Constants outside of strings. */
function withPythonNames(json: string): string {
  const names: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => names[token] ?? token);
}
