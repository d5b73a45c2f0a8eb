// Links in the documents: they must lead to existing files, anchors and URLs of the service.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { DASHBOARD_PAGES } from '../../src/platform/http/pages/pages.routes.js';
import { ROOT } from '../support/service-process.js';

const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { readonly paths: object };
const ROUTES = [
  ...Object.keys(paths),
  ...Object.keys(DASHBOARD_PAGES),
  ...['/docs', '/licenses', '/.well-known/security.txt', '/llms.txt', '/iconify/{key}', '/compat/{key}', '/metrics'],
];

const textOf = (document: string) => readFileSync(join(ROOT, document), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Returns the anchors that GitHub derives from the headings. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = textOf(document)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function isRoute(path: string): boolean {
  const parts = path.split('/');
  return ROUTES.some((route) => {
    const expected = route.split('/');
    const isSame = expected.every((part, at) => part.startsWith('{') || part === parts[at]);
    // URLs under /compat and /iconify end with a path of another service. This path may have more segments than the
    // route's pattern.
    return isSame && (parts.length === expected.length || /^\/(?:compat|iconify)\//.test(path));
  });
}

describe('links of the documents', () => {
  for (const document of DOCUMENTS)
    it(`lead to files and headings: ${document}`, () => {
      const broken = [...withoutCode(textOf(document)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          const path = file === '' ? document : join(dirname(document), file);
          if (!existsSync(join(ROOT, path))) return true;
          return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor);
        });
      expect(broken).to.deep.equal([]);
    });

  it('name addresses of the service that exist', () => {
    const wrong = DOCUMENTS.filter((document) => !document.startsWith('docs/adr/')).flatMap((document) =>
      [...textOf(document).matchAll(/(?:\$BLAZON|https?:\/\/(?:localhost:3000|icons\.example))(\/[\w./{}…,-]*)/g)]
        .map(([, path = '']) => path.replace(/[.,]+$/, ''))
        .filter((path) => path !== '/' && !isRoute(path))
        .map((path) => `${document}: ${path}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('list every page of docs/ in the README', () => {
    const readme = textOf('README.md');
    const missing = DOCUMENTS.filter((document) => /^docs\/[^/]+\.md$/.test(document) && !readme.includes(document));
    expect(missing.filter((document) => !document.endsWith('/catalog-quality.md'))).to.deep.equal([]);
  });
});
