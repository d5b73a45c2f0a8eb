// The page of /docs: Swagger UI with our own order, colors and dark mode.

export const DOCS_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Blazon API reference</title>
<link rel="icon" href="/docs/blazon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/blazon.css">
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<header class="masthead">
<img src="/docs/blazon.svg" width="36" height="36" alt="">
<div><strong>Blazon</strong><span>API reference</span></div>
<nav aria-label="Documents"><a href="/openapi.json">openapi.json</a></nav>
</header>
<main id="reference" tabindex="-1"><p class="loading">Loading the reference…</p></main>
<noscript><p class="loading">This page needs JavaScript; <a href="/openapi.json">openapi.json</a> says the same.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/blazon.js"></script>
</body>
</html>
`;

export const DOCS_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
// A cookie is nothing that can be typed in; the browser sends its own. The dialog begins in its last field: the key's.
const typed = ({ session, apiKey, ...others }) => ({ ...others, apiKey });
const withoutCookie = (operation) => ({ ...operation, security: operation.security.filter(({ session }) => !session) });
const eachOf = (record, change) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
const shown = (document) => SwaggerUIBundle({
  // Try-it asks where the page came from, whatever the public address is.
  spec: {
    ...document,
    servers: [{ url: location.origin }],
    paths: eachOf(document.paths, (methods) => eachOf(methods, withoutCookie)),
    components: { ...document.components, securitySchemes: typed(document.components.securitySchemes) },
  },
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  docExpansion: 'list',
  persistAuthorization: false,
  syntaxHighlight: { theme: 'nord' },
  tryItOutEnabled: true,
  validatorUrl: null,
});
fetch('/openapi.json').then((response) => response.json()).then(shown).catch(() => {
  document.querySelector('.loading').textContent = 'The document could not be loaded. Reload the page to try again.';
});
`;

/** A shield, parted: what a blazon describes. */
export const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path fill="#1f3a8a" d="M4 4h28v13c0 8-6 13-14 16C10 30 4 25 4 17Z"/><path fill="#f5b301" d="M18 4h14v13H18zM18 17v16C10 30 4 25 4 17Z"/></svg>
`;

export const DOCS_CSS = `:root {
  --ink: #16181d; --quiet: #565d6b; --page: #fbfbfc; --card: #fff; --line: #e3e6ec; --accent: #1f3a8a;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaf0; --quiet: #a3abbb; --page: #0f1218; --card: #171b24; --line: #2a303c; --accent: #9db6ff; }
}
body { margin: 0; background: var(--page); color: var(--ink); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.masthead { display: flex; align-items: center; gap: .75rem; padding: .9rem clamp(1rem, 4vw, 2.5rem); background: var(--card); border-bottom: 1px solid var(--line); }
.masthead div { display: grid; line-height: 1.2; }
.masthead span { color: var(--quiet); font-size: .85rem; }
.masthead nav { margin-left: auto; }
.masthead a, .loading a { color: var(--accent); }
.loading { padding: 3rem; text-align: center; color: var(--quiet); }
#reference { max-width: 1180px; margin: 0 auto; outline: none; }
.swagger-ui .wrapper { padding: 0 clamp(.75rem, 3vw, 1.5rem); }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui table thead tr th, .swagger-ui .parameter__name { font-family: inherit; }
.swagger-ui .info { margin: 1.5rem 0 .5rem; }
.swagger-ui .info .title { font-size: 1.7rem; }
.swagger-ui .info .link, .swagger-ui .servers, .swagger-ui .servers-title { display: none; }
.swagger-ui .renderedMarkdown p, .swagger-ui .opblock-tag small { font-family: inherit; }
html.dark-mode .swagger-ui .scheme-container { background: transparent; box-shadow: none; }
.swagger-ui .scheme-container { background: transparent; box-shadow: none; padding: .5rem 0 1rem; border-bottom: 1px solid var(--line); }
.swagger-ui .opblock { border-radius: 10px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary { padding: .5rem .75rem; }
.swagger-ui .opblock .opblock-summary-method { border-radius: 6px; min-width: 64px; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 1.15rem; }
/* Mid-tones in either scheme: black and white logos both stand out from them. */
.swagger-ui .response-col_description img { max-width: 320px; background: repeating-conic-gradient(#74787f 0 25%, #868a92 0 50%) 0 0 / 20px 20px; }
/* There are no links in this document. */
.swagger-ui .response-col_links, .swagger-ui .col_header.response-col_links { display: none; }
html.dark-mode body { background: var(--page); }
html.dark-mode .swagger-ui { background: transparent; }
@media (max-width: 640px) {
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr, .swagger-ui table.parameters td { display: block; width: auto; }
  .swagger-ui .responses-table { table-layout: fixed; width: 100%; }
  .swagger-ui .response-col_status { width: 3.5rem; min-width: 0; }
  .swagger-ui .response-col_description { min-width: 0; overflow-wrap: anywhere; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; width: 100%; }
}
`;
