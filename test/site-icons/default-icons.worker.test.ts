// Icons that servers, frameworks and site builders ship: they say nothing about a site, so they are rejected.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { defaultIconsSchema, readDefaultIcons } from '../../config/default-icons.js';
import { readConfigFile } from '../../config/json-file.js';
import type { AccountId } from '../../src/accounts/account.js';
import { openFinder, type TestFinder } from './finder.js';
import { startSite, svg, type Answers, type Site } from './sites.js';

const HOST = 'default.example';
const FOLDER = 'test/data/default-icons/';
/** Kind of program → pattern of the names of the files that it ships. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'a web server': /^(?:tomcat|jetty)/,
  'a JavaScript framework or bundler': /^(?:angular|expo|next|react|svelte|vite|vue)/,
  'a content management system': /^(?:ghost|strapi)/,
  'a documentation generator': /^(?:docusaurus|mkdocs|storybook|swagger-ui)/,
};
const FILES = readdirSync(FOLDER).filter((name) => !name.endsWith('.md'));
/**
 * Prefix of the names of default icons that the sanitizer rejects. They would be rejected even if the list of default
 * icons did not contain them.
 */
const UNDRAWABLE = 'vite-9';
const TYPES: Readonly<Record<string, string>> = { ico: 'image/x-icon', png: 'image/png', svg: 'image/svg+xml' };

describe('default icons', () => {
  let site: Site;
  let finder: TestFinder;
  before(async () => {
    site = await startSite({});
    finder = openFinder([`${HOST}=${site.origin}`]);
  });
  after(async () => {
    await finder.close();
    await site.close();
  });

  async function chosen(answers: Answers): Promise<string> {
    site.answer(answers);
    const found = await finder.find({
      host: HOST,
      accountId: 'account' as AccountId,
      signal: new AbortController().signal,
    });
    return found.kind === 'found' ? new URL(found.icon.source.url).pathname : found.kind;
  }
  const sent =
    (name: string, bytes: Buffer): Answers[string] =>
    (_, response) =>
      void response.writeHead(200, { 'Content-Type': TYPES[name.replace(/^.*\./, '')] }).end(bytes);

  for (const [kind, names] of Object.entries(KINDS))
    it(`of ${kind} are rejected, and any other icon of the site is chosen`, async () => {
      const files = FILES.filter((name) => names.test(name));
      expect(files).to.have.length.of.at.least(2);
      for (const name of files) {
        const bytes = readFileSync(FOLDER + name);
        const page = `<head><link rel=icon href="/${name}"></head>`;
        expect(await chosen({ '/': page, [`/${name}`]: sent(name, bytes) }), name).to.equal('none');
        expect(await chosen({ '/': '<p>x', '/favicon.ico': sent(name, bytes) }), name).to.equal('none');
        const own = `<head><link rel=icon href="/${name}"><link rel=icon href="/own.svg"></head>`;
        const both = { '/': own, [`/${name}`]: sent(name, bytes), '/own.svg': svg() };
        expect(await chosen(both), name).to.equal('/own.svg');
        // A file with one more byte is not in the list and must be accepted. This shows that only the list rejects the
        // original file.
        if (name.startsWith(UNDRAWABLE)) continue;
        const other = Buffer.concat([bytes, Buffer.from('\n')]);
        expect(await chosen({ '/': page, [`/${name}`]: sent(name, other) }), name).to.equal(`/${name}`);
      }
    });

  it('belong to a kind each, and are listed once', () => {
    for (const name of FILES)
      expect(
        Object.values(KINDS).filter((names) => names.test(name)),
        name,
      ).to.have.length(1);
    const listed = readConfigFile('default-icons.json', defaultIconsSchema);
    expect(new Set(listed.map(({ sha256 }) => sha256)).size).to.equal(listed.length);
    const isDefault = readDefaultIcons();
    for (const name of FILES) expect(isDefault(readFileSync(FOLDER + name)), name).to.equal(true);
  });

  it('in a damaged list are named in the error', () => {
    const [issue] = defaultIconsSchema.safeParse([{ sha256: 'ABC', of: 'x', source: 'y' }]).error?.issues ?? [];
    expect(issue?.message).to.equal('must be a SHA-256 in lowercase hex digits');
  });
});
