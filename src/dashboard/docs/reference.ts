// The reference of /docs: the OpenAPI document in Scalar, without requests to any other service.
import { currentTheme, onThemeChange } from '../theme.js';

interface Parameter {
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: { readonly example?: unknown; readonly examples?: readonly unknown[] };
}

interface Response200 {
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly description?: string;
  readonly responses?: Readonly<Record<string, Response200>>;
}

type Methods = Readonly<Record<string, Operation>>;

interface Document {
  readonly paths: Readonly<Record<string, Methods>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly in?: string }>> };
}

declare const Scalar: { createApiReference(target: string, configuration: object): unknown };

/** What GitHub's logo looks like from these routes. */
const PICTURES: Readonly<Record<string, string>> = {
  '/v1/svg/{slug}': '/docs/example.svg',
  '/v1/png/{slug}': '/docs/example.png',
  '/v1/webp/{slug}': '/docs/example.webp',
};
const SHOWN_BYTES = 48;
/** Samples are in curl, JavaScript (fetch) and Python (requests). */
const OTHER_LANGUAGES =
  'c clojure csharp dart fsharp go http java julia kotlin node objc ocaml php powershell r ruby rust swift'.split(' ');
const OTHER_CLIENTS = {
  shell: ['wget', 'httpie'],
  js: ['axios', 'ofetch', 'jquery', 'xhr'],
  python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
};

interface Picture {
  readonly url: string;
  readonly example: string;
}

/** Off until the reader switches it on: otherwise Scalar sends the first allowed value of every optional parameter. */
function switchedOff(parameter: Parameter): object {
  if (parameter.required) return parameter;
  const { example, ...rest } = parameter;
  const value = example ?? parameter.schema?.example ?? parameter.schema?.examples?.[0];
  return { ...rest, examples: { default: { ...(value !== undefined && { value }), 'x-disabled': true } } };
}

/** Text as it is, other bytes as the beginning of a hex dump. */
async function exampleOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (url.endsWith('.svg')) return response.text();
  const bytes = new Uint8Array(await response.arrayBuffer());
  const shown = Array.from(bytes.subarray(0, SHOWN_BYTES), (byte) => byte.toString(16).padStart(2, '0'));
  return `${shown.join(' ')} … (${bytes.length} bytes)`;
}

function withPicture(operation: Operation, { url, example }: Picture): Operation {
  const { description = '', responses = {} } = operation;
  const content = mapValues(responses['200']?.content ?? {}, (media) => ({
    ...media,
    schema: { type: 'string' },
    example,
  }));
  return {
    ...operation,
    description: `${description}\n\n![GitHub's logo](${url})`,
    responses: { ...responses, 200: { ...responses['200'], content } },
  };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function forReading(document: Document, pictures: ReadonlyMap<string, Picture>): object {
  const { securitySchemes } = document.components;
  // Scripts cannot set cookies of this kind; the browser sends its own.
  const isTyped = (scheme: string): boolean => securitySchemes[scheme]?.in !== 'cookie';
  const readable = (operation: Operation, path: string): object => {
    const picture = pictures.get(path);
    return {
      ...(picture ? withPicture(operation, picture) : operation),
      security: operation.security?.filter((schemes) => Object.keys(schemes).every(isTyped)),
      parameters: operation.parameters?.map(switchedOff),
    };
  };
  return {
    ...document,
    // Where the page came from, whatever PUBLIC_URL is.
    servers: [{ url: location.origin }],
    paths: mapValues(document.paths, (methods, path) => mapValues(methods, (operation) => readable(operation, path))),
    components: {
      ...document.components,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => isTyped(name))),
    },
  };
}

function show(content: object): void {
  document.querySelector('.loading')?.remove();
  Scalar.createApiReference('#reference', {
    content,
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    proxyUrl: '',
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideDarkModeToggle: true,
    forceDarkModeState: currentTheme(),
    documentDownloadType: 'none',
    persistAuth: false,
    authentication: { preferredSecurityScheme: 'apiKey' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: { ...Object.fromEntries(OTHER_LANGUAGES.map((language) => [language, true])), ...OTHER_CLIENTS },
  });
}

/** Rejects when the document or a part of it cannot be loaded; the page then says so. */
export async function showReference(): Promise<void> {
  try {
    const pictures = Object.entries(PICTURES).map(
      async ([path, url]) => [path, { url, example: await exampleOf(url) }] as const,
    );
    const response = await fetch('/openapi.json');
    show(forReading((await response.json()) as Document, new Map(await Promise.all(pictures))));
    applyTheme();
    onThemeChange(applyTheme);
  } catch (error) {
    const loading = document.querySelector('.loading');
    if (loading) loading.textContent = 'The reference could not be loaded. Reload the page to try again.';
    throw error;
  }
}

/** Scalar's own switch is hidden; it reads these classes. */
function applyTheme(): void {
  const theme = currentTheme();
  document.body.classList.toggle('dark-mode', theme === 'dark');
  document.body.classList.toggle('light-mode', theme === 'light');
}
