// Host names, and brand lookup in small catalogs.
import { expect } from 'chai';
import fc from 'fast-check';
import { brandDomainsSchema, readBrandFacts } from '../../config/brand-domains.js';
import { parseEmailHost, parseHost } from '../../src/platform/web/host-name.js';
import type { BrandIndex } from '../../src/search/brand-index.js';
import { brandByName } from '../../src/brands/brand-by-name.js';
import { publicCatalog } from '../../src/catalog/account-catalogs.js';
import { createBrands } from '../../src/brands/brands.js';
import { someEntry } from '../support/entries.js';
import { indexesOf } from '../support/indexes.js';
import { repeated } from '../support/extent.js';
import { finish, createTurns } from '../../src/platform/concurrency/time-slices.js';
import { someClient } from '../support/pictures.js';

describe('hosts', () => {
  const HOSTS: readonly (readonly [text: string, host: string, registrable: string])[] = [
    ['github.com', 'github.com', 'github.com'],
    ['GitHub.COM.', 'github.com', 'github.com'],
    ['www.github.com', 'github.com', 'github.com'],
    ['https://user:pass@www.github.com:8443/a/b?c=d#e', 'github.com', 'github.com'],
    ['//github.com/x', 'github.com', 'github.com'],
    ['git+ssh://git@github.com/x.git', 'github.com', 'github.com'],
    ['a.b.example.co.uk/path', 'a.b.example.co.uk', 'example.co.uk'],
    ['user.github.io', 'user.github.io', 'user.github.io'],
    ['www.com', 'www.com', 'www.com'],
    ['bücher.de', 'xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['яндекс.рф', 'xn--d1acpjx3f.xn--p1ai', 'xn--d1acpjx3f.xn--p1ai'],
    ['github。com', 'github.com', 'github.com'],
  ];
  for (const [text, host, registrable] of HOSTS) {
    it(`reads ${text} as ${host}`, () => expect(parseHost(text)).to.include({ kind: 'host', host, registrable }));
  }

  const INVALID = [
    ...['', ' ', 'localhost', 'github', 'com', 'co.uk', 'github.io', '127.0.0.1', 'http://[::1]/', '0x7f.1', 'a b.com'],
    ...['exa_mple..com', '-a.com', 'foo.invalidtld', 'http://', 'a'.repeat(3000)],
  ];
  for (const text of INVALID) {
    it(`rejects ${JSON.stringify(text.slice(0, 30))} with a reason`, () => {
      const outcome = parseHost(text);
      expect(outcome.kind).to.equal('invalid');
      expect(outcome).to.have.property('reason').with.length.above(5);
    });
  }

  it('reads e-mail addresses', () => {
    expect(parseEmailHost('ada@stripe.com')).to.include({ host: 'stripe.com' });
    expect(parseEmailHost('Ada <ada@mail.stripe.com>')).to.include({ host: 'mail.stripe.com' });
    expect(parseEmailHost('"a@b"@stripe.com')).to.include({ host: 'stripe.com' });
    for (const text of ['stripe.com', '@stripe.com', 'ada@', 'ada@localhost', 'ada@1.2.3.4', 'ada@stripe.com/x', '']) {
      expect(parseEmailHost(text).kind, text).to.equal('invalid');
    }
  });

  it('never throw for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        for (const outcome of [parseHost(text), parseEmailHost(text)]) {
          if (outcome.kind === 'host')
            expect(outcome.host === outcome.registrable || outcome.host.endsWith(`.${outcome.registrable}`)).to.equal(
              true,
            );
        }
      }),
      { numRuns: repeated(400, 2000) },
    );
  });
});

describe('brand index', () => {
  let brands: BrandIndex;
  const owner = (text: string) => {
    const host = parseHost(text);
    return host.kind === 'host' ? brands.owner(host) : undefined;
  };
  before(async () => {
    ({ brands } = await indexesOf(
      [
        someEntry('actions', { title: 'GitHub Actions', website: 'https://github.com/features/actions' }),
        someEntry('guest', { title: 'Guest', website: 'https://github.com/somebody/guest' }),
        someEntry('guest-page', { title: 'Guest Page', website: 'https://guest.github.io/' }),
        someEntry('github', { title: 'GitHub', website: 'https://github.com/' }),
        someEntry('copilot', { title: 'Copilot', website: 'https://github.com/' }),
        someEntry('azure', { title: 'Microsoft Azure', website: 'https://azure.microsoft.com/' }),
        someEntry('azure-vm', { title: 'Virtual Machine', website: 'https://azure.microsoft.com/' }),
        someEntry('excel', { title: 'Excel', website: 'https://www.microsoft.com/microsoft-365/excel' }),
        someEntry('microsoft', { title: 'Microsoft', website: 'https://www.microsoft.com/en-us/' }),
        someEntry('meta', { title: 'Meta', website: 'https://about.meta.com/es/' }),
        someEntry('kong', { title: 'Kong', website: 'https://konghq.com/brand-assets/' }),
        someEntry('stripe', { title: 'Stripe', source: 'https://stripe.com/newsroom/information' }),
        someEntry('mongodb', { title: 'MongoDB', aliases: ['mongo'], website: 'https://www.mongodb.com' }),
        someEntry('mango', { title: 'Mango', website: 'https://mangowm.github.io/' }),
        someEntry('gemma-google', { title: 'Gemma (Google)', website: 'https://ai.google.dev/gemma' }),
        someEntry('google', { title: 'Google', website: 'https://www.google.com/' }),
        someEntry('wordart', { title: 'WordArt', website: 'https://commons.wikimedia.org/wiki/File:WordArt.svg' }),
        someEntry('gmail', { title: 'Gmail' }),
        someEntry('toaster', { title: 'Toaster', website: 'https://conglomerate.com/products/toaster' }),
        someEntry('no-such-host', { title: 'Broken', website: 'not an address' }),
      ],
      {
        hosts: { gmail: ['mail.google.com'], nobody: ['nobody.com'] },
        everywhere: ['google'],
        hosting: ['github.com', 'wikimedia.org'],
      },
    ));
  });

  const OWNERS: readonly (readonly [host: string, slug?: string, match?: string])[] = [
    ['github.com', 'github', 'domain'],
    ['gist.github.com', 'github', 'subdomain'],
    ['guest.github.io', 'guest-page', 'domain'],
    ['other.github.io'],
    ['microsoft.com', 'microsoft', 'domain'],
    ['learn.microsoft.com', 'microsoft', 'subdomain'],
    ['azure.microsoft.com', 'azure', 'domain'],
    ['portal.azure.microsoft.com', 'azure', 'subdomain'],
    ['meta.com', 'meta', 'domain'],
    ['konghq.com', 'kong', 'domain'],
    ['stripe.com', 'stripe', 'domain'],
    ['mongodb.com', 'mongodb', 'domain'],
    ['mango.com'],
    ['mongo.com'],
    ['google.com', 'google', 'domain'],
    ['google.co.uk', 'google', 'domain'],
    ['maps.google.fr', 'google', 'subdomain'],
    ['google.github.io'],
    ['google.example.com'],
    ['google.dev'],
    ['mail.google.com', 'gmail', 'domain'],
    ['commons.wikimedia.org'],
    ['nobody.com'],
    ['conglomerate.com'],
  ];
  for (const [host, slug, match] of OWNERS) {
    it(`${host} → ${slug ?? 'no brand'}`, () =>
      expect([owner(host)?.slug, owner(host)?.match]).to.deep.equal([slug, match]));
  }

  it('assigns a public suffix to the brand that states it, and to no other', async () => {
    const indexes = await indexesOf(
      [someEntry('gov-uk', { title: 'GOV.UK' }), someEntry('co', { title: 'Co', website: 'https://co.uk/' })],
      { hosts: { 'gov-uk': ['gov.uk'] }, everywhere: [], hosting: [] },
    );
    const entry = someEntry('gov-uk', { title: 'GOV.UK' });
    const found = createBrands({
      index: { current: async () => indexes, peek: () => indexes },
      turns: createTurns(),
    });
    const catalog = publicCatalog({
      find: async () => ({ kind: 'entry', entry }),
      peek: () => undefined,
      drawing: () => '',
    });
    for (const domain of ['gov.uk', 'www.gov.uk'])
      expect(await found.lookup({ domain }, catalog, someClient())).to.include({
        kind: 'found',
        match: 'domain',
        entry,
      });
    expect(await found.lookup({ email: 'a@gov.uk' }, catalog, someClient())).to.include({ kind: 'found' });
    expect(await found.lookup({ domain: 'hmrc.gov.uk' }, catalog, someClient())).to.include({ kind: 'none' });
    expect(await found.lookup({ domain: 'co.uk' }, catalog, someClient())).to.deep.include({
      kind: 'none',
      missing: [],
    });
  });

  it('lists products as alternatives, but not pages of other brands', () => {
    expect(owner('microsoft.com')?.alternatives).to.have.members(['azure', 'azure-vm', 'excel']);
    expect(owner('azure.microsoft.com')?.alternatives).to.have.members(['microsoft', 'azure-vm', 'excel']);
    expect(owner('github.com')?.alternatives).to.deep.equal(['copilot']);
  });
});

describe('brand by name', () => {
  const ENTRIES = [
    someEntry('apple', { title: 'Apple' }),
    someEntry('apple-music', { title: 'Apple Music' }),
    someEntry('github', { title: 'GitHub' }),
    someEntry('twitter-x', { title: 'X', aliases: ['Twitter'] }),
    someEntry('visual-studio-code', { title: 'Visual Studio Code' }),
    someEntry('the-guardian', { title: 'The Guardian' }),
    someEntry('sap', { title: 'SAP' }),
  ];
  const CASES: readonly (readonly [name: string, slug?: string, match?: string])[] = [
    ['Apple', 'apple', 'name'],
    ['apple-music', 'apple-music', 'name'],
    ['Apple Inc.', 'apple', 'name'],
    ['SAP SE', 'sap', 'name'],
    ['Apple Co., Ltd.', 'apple', 'name'],
    ['The Apple Holding Company Inc.', 'apple', 'name'],
    ['Twitter', 'twitter-x', 'alias'],
    ['VSCode', 'visual-studio-code', 'alias'],
    ['gihtub', 'github', 'name'],
    ['Guardian', 'the-guardian', 'name'],
    ['App'],
    ['Inc.'],
    ['🚀'],
    ['music'],
  ];
  for (const [name, slug, match] of CASES) {
    it(`${name} → ${slug ?? 'no brand'}`, async () => {
      const { search } = await indexesOf(ENTRIES);
      const found = finish(brandByName(search, name));
      expect([found?.slug, found?.match]).to.deep.equal([slug, match]);
    });
  }
});

describe('brand facts', () => {
  it('are well formed, each host stated once', () => {
    const { hosts } = readBrandFacts();
    const all = Object.values(hosts).flat();
    for (const host of all) {
      const parsed = parseHost(host);
      expect(parsed.kind === 'host' ? parsed : parsed.suffix, host).to.include({ kind: 'host', host });
    }
    expect(new Set(all).size).to.equal(all.length);
    expect(all.length).to.be.above(200);
  });

  it('are rejected when malformed', () => {
    for (const bad of [
      {},
      { hosts: { github: [] }, everywhere: [] },
      { hosts: { github: ['https://github.com'] }, everywhere: [] },
      { hosts: {}, everywhere: ['A b'] },
      { hosts: {}, everywhere: [], more: 1 },
    ]) {
      expect(brandDomainsSchema.safeParse(bad).success, JSON.stringify(bad)).to.equal(false);
    }
  });
});
