import { expect } from 'chai';
import { parseUrl } from '../../src/platform/web/parse-url.js';
import fc from 'fast-check';
import { allowsPage, hostOf, originsOf, pageOrigin, parseOrigin } from '../../src/accounts/page-origin.js';

const allows = (origins: readonly string[], headers: { readonly origin?: string; readonly referer?: string }) => {
  const page = pageOrigin(headers.origin, headers.referer);
  return allowsPage(origins, page === undefined ? [] : originsOf(hostOf(page)));
};

describe('origins of publishable keys', () => {
  const SPELLINGS: readonly (readonly [string, string])[] = [
    ['example.com', 'example.com'],
    ['  Example.COM ', 'example.com'],
    ['example.com.', 'example.com'],
    ['*.example.com', '*.example.com'],
    ['*.Example.co.uk', '*.example.co.uk'],
    ['localhost', 'localhost'],
    ['*.localhost', '*.localhost'],
    ['intranet', 'intranet'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['[::1]', '[::1]'],
    ['[2001:DB8::0:1]', '[2001:db8::1]'],
    ['user.github.io', 'user.github.io'],
    ['*.user.github.io', '*.user.github.io'],
  ];
  for (const [text, origin] of SPELLINGS)
    it(`reads ${JSON.stringify(text)} as ${origin}`, () => {
      expect(parseOrigin(text)).to.deep.equal({ origin });
    });

  const REJECTED: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    ['*.', /empty/],
    ['*', /\*/],
    ['*example.com', /\*/],
    ['*.*.example.com', /\*/],
    ['a.*.example.com', /\*/],
    ['*.com', /anyone can register/],
    ['*.co.uk', /anyone can register/],
    ['*.github.io', /anyone can register/],
    ['https://example.com', /URL/],
    ['example.com/path', /URL/],
    ['example.com:8080', /port/],
    ['localhost:3000', /port/],
    ['[::1]:80', /port/],
    ['::1', /not a host name/],
    ['*.192.0.2.1', /IP address/],
    ['*.[::1]', /IP address/],
    ['exa mple.com', /not a host name/],
    ['user@example.com', /not a host name/],
    ['example..com', /not a host name/],
    ['-a.example.com', /not a host name/],
    ['example.com|evil.net', /not a host name/],
    ['a'.repeat(64) + '.com', /not a host name/],
    ['a.'.repeat(150) + 'com', /too long/],
    ['[zz::1]', /not a host name/],
    ['null', /reserved/],
    ['1.2.3', /not a host name/],
    ['123', /not a host name/],
  ];
  for (const [text, reason] of REJECTED)
    it(`rejects ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(parseOrigin(text)).to.have.property('reason').that.matches(reason);
    });

  interface Case {
    readonly origins: readonly string[];
    readonly allowed: readonly string[];
    readonly rejected: readonly string[];
  }
  const CASES: readonly Case[] = [
    {
      origins: ['example.com'],
      allowed: [
        'https://example.com',
        'http://example.com',
        'https://example.com:8443',
        'HTTPS://EXAMPLE.com',
        'https://example.com.',
      ],
      rejected: [
        'https://www.example.com',
        'https://example.com.evil.net',
        'https://evilexample.com',
        'https://example.co',
        'https://example.com@evil.net',
        'https://evil.net#example.com',
        'https://evil.net?example.com',
        'https://evil.net\\@example.com',
        'null',
        'file://example.com',
        'chrome-extension://example.com',
        'example.com',
        '',
      ],
    },
    {
      origins: ['*.example.com'],
      allowed: ['https://a.example.com', 'https://a.b.example.com:1', 'http://*.example.com'],
      rejected: ['https://example.com', 'https://evilexample.com', 'https://a.example.com.evil.net'],
    },
    {
      origins: ['localhost'],
      allowed: ['http://localhost', 'http://localhost:3000', 'https://localhost:1'],
      rejected: ['http://localhost.evil.net', 'http://127.0.0.1', 'http://a.localhost', 'http://[::1]'],
    },
    {
      origins: ['xn--bcher-kva.example'],
      allowed: ['https://xn--bcher-kva.example', 'https://bücher.example'],
      rejected: ['https://bucher.example'],
    },
    {
      origins: ['[::1]', '192.0.2.1', '*.2.1'],
      allowed: ['http://[::1]:3000', 'http://[0:0:0:0:0:0:0:1]', 'http://192.0.2.1:8080'],
      rejected: ['http://[::2]', 'http://192.0.2.10', 'http://10.0.2.1'],
    },
    { origins: [], allowed: ['https://anything.example', 'null', ''], rejected: [] },
  ];
  for (const { origins, allowed, rejected } of CASES)
    describe(`of ${origins.join(', ') || 'a key without origins'}`, () => {
      for (const page of allowed)
        it(`allow ${page || 'no page'}`, () => {
          expect(allows(origins, { origin: page })).to.equal(true);
          expect(allows(origins, { referer: page === '' ? '' : `${page}/path?query` })).to.equal(true);
        });
      for (const page of rejected)
        it(`reject ${page || 'no page'}`, () => {
          expect(allows(origins, { origin: page })).to.equal(false);
          expect(allows(origins, { referer: page })).to.equal(false);
        });
    });

  it('use Origin if it exists, and ignore Referer then', () => {
    const own = 'https://example.com';
    expect(allows(['example.com'], { origin: 'https://evil.net', referer: own })).to.equal(false);
    expect(allows(['example.com'], { origin: 'null', referer: own })).to.equal(false);
    expect(allows(['example.com'], { origin: own, referer: 'https://evil.net' })).to.equal(true);
    expect(allows(['example.com'], { referer: own })).to.equal(true);
    expect(allows(['example.com'], {})).to.equal(false);
  });

  it('of one page are few, regardless of the length of its host', () => {
    const deep = `${'a.'.repeat(100)}example.com`;
    expect(originsOf(deep)).to.have.length(17);
    expect(allows(['*.example.com'], { origin: `https://${deep}` })).to.equal(true);
    expect(allows([deep], { origin: `https://${deep}` })).to.equal(true);
    expect(hostOf(`https://${'a.'.repeat(140)}com`)).to.equal(undefined);
  });

  it('allow exactly the host, or the hosts below a wildcard', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
    const host = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(host, host, (named, page) => {
        expect(allows([named], { origin: `https://${page}` })).to.equal(named === page);
        expect(allows([`*.${named}`], { origin: `https://${page}` })).to.equal(page.endsWith(`.${named}`));
        expect(allows([`*.${named}`], { origin: `https://a.${named}` })).to.equal(true);
      }),
    );
  });

  it('have the same spelling as pages', () => {
    const origins = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(origins, (host) => {
        fc.pre(parseUrl(`https://${host}`) !== undefined);
        const parsed = parseOrigin(host);
        if ('reason' in parsed) throw new Error(`${host}: ${parsed.reason}`);
        expect(allows([parsed.origin], { origin: `https://${host}:8080` })).to.equal(true);
      }),
    );
  });
});
