// Isolation of own brands: accounts with random ones, every route that looks entries up, and nothing of one in an answer to another.
import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { suiteServer, type Customer } from '../support/server.js';
import { repeated } from '../support/extent.js';
import { publishableKey } from './route-calls.js';

const SLUGS = ['github', 'stripe', 'intranet', 'wiki', 'nas', 'nodejs'];
const HOSTS = ['github.com', 'intranet.corp', 'nas.local', '10.0.0.7', 'jira', 'stripe.com', 'docs.stripe.com'];
const VARIANTS = ['default', 'mono', 'wordmark'];

interface Tenant {
  readonly customer: Customer;
  /** Publishable key. */
  readonly key: string;
  /** In every title and alias, and nowhere else. */
  readonly mark: string;
  readonly color: string;
}

const someOf = <Item>(items: readonly Item[]): Item[] => items.filter(() => randomInt(2) === 1);

/** `{key}` is a publishable key, in the address; else the API key is sent. */
const paths = (slug: string, host: string, mark: string): readonly string[] => [
  ...['svg', 'png', 'webp'].flatMap((format) => [
    `/v1/${format}/${slug}?size=16`,
    `/v1/${format}/${slug}?size=16&key={key}`,
    `/v1/${format}/${slug}?size=16&variant=mono`,
    `/v1/logo/${host}?size=16&format=${format}`,
  ]),
  `/v1/catalog/${slug}`,
  `/v1/search?q=${slug}`,
  `/v1/search?q=${mark}`,
  '/v1/search?color=ff0000&limit=100',
  `/v1/brand?domain=${host}`,
  `/v1/brand?email=a@${host}`,
  `/v1/brand?name=${mark}`,
  `/v1/strip?icons=${SLUGS.join()}&fallback=skip`,
  `/v1/favicon/${slug}/icon.svg`,
  `/iconify/{key}/blazon.json?icons=${SLUGS.join()}`,
  `/iconify/{key}/blazon/${slug}.svg`,
  `/iconify/{key}/collection?prefix=blazon&info=1`,
  `/iconify/{key}/search?query=${slug}`,
  `/compat/{key}/clearbit/${host}?size=16`,
  `/compat/{key}/google/s2/favicons?domain=${host}`,
  `/v1/brands`,
  `/v1/brands/${slug}`,
];

describe('own brands of several accounts', () => {
  const server = suiteServer();

  const ask = async ({ customer, key }: Tenant, path: string) => {
    const isInAddress = path.includes('{key}');
    const response = await fetch(server.base + path.replace('{key}', key), {
      redirect: 'manual',
      headers: isInAddress ? {} : { 'X-API-Key': customer.apiKey },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, path).to.be.below(500);
    const { etag, location } = Object.fromEntries(response.headers);
    return { status: response.status, etag, location, bytes, text: bytes.toString('latin1').replaceAll(key, 'KEY') };
  };
  const batch = async ({ customer: { apiKey } }: Tenant): Promise<string> => {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ slugs: [...SLUGS, 'common'] });
    return (await fetch(`${server.base}/v1/catalog/batch`, { method: 'POST', headers, body })).text();
  };
  async function put({ customer: { apiKey } }: Tenant, path: string, type: string, body: string): Promise<string> {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': type };
    const response = await fetch(`${server.base}/v1/brands/${path}`, { method: 'PUT', headers, body });
    const text = await response.text();
    expect(response.status, text).to.be.below(300);
    return text;
  }
  /** With random brands, and the hashes of their drawings. */
  async function fill(tenant: Tenant): Promise<readonly string[]> {
    const etags: string[] = [];
    for (const slug of [...someOf(SLUGS), 'common']) {
      const facts = { title: `${tenant.mark} ${slug}`, domains: someOf(HOSTS), aliases: [`${tenant.mark}-${slug}`] };
      await put(tenant, slug, 'application/json', JSON.stringify(facts));
      // The same drawing in all accounts, and one of its own.
      for (const [at, variant] of ['default', ...someOf(VARIANTS.slice(1))].entries()) {
        const fill = at === 0 && slug === 'common' ? '#123456' : tenant.color;
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${fill}" d="M0 0h8v${at + 3}z"/></svg>`;
        const { brand } = JSON.parse(await put(tenant, `${slug}/variants/${variant}`, 'image/svg+xml', svg)) as {
          brand: { variants: { etag: string }[] };
        };
        etags.push(...brand.variants.map(({ etag }) => etag));
      }
    }
    return etags;
  }
  async function tenant(mark: string, color: string): Promise<Tenant> {
    const customer = await server.customer('internal');
    return { customer, key: (await publishableKey(customer, server)).key, mark, color };
  }

  it('are in no answer to another account, and change none to a stranger', async () => {
    for (let round = 0; round < repeated(1, 8); round++) {
      const one = await tenant(`qvone${round}x`, '#a1b2c3');
      const two = await tenant(`qvtwo${round}x`, '#d4e5f6');
      const stranger = await tenant(`qvnone${round}x`, '#000001');
      const all = [...SLUGS, 'common'].flatMap((slug, at) =>
        paths(slug, HOSTS[at % HOSTS.length] ?? '', [one.mark, two.mark][at % 2] ?? ''),
      );
      const before = new Map<string, Awaited<ReturnType<typeof ask>>>();
      for (const path of all) before.set(path, await ask(stranger, path));
      const [etagsOne, etagsTwo] = [await fill(one), await fill(two)];
      expect(etagsOne.filter((etag) => etagsTwo.includes(etag))).to.deep.equal([]);
      for (const path of all) {
        const [first, second, third] = [await ask(one, path), await ask(two, path), await ask(stranger, path)];
        for (const [answer, other, etags] of [
          [first, two, etagsTwo],
          [second, one, etagsOne],
        ] as const) {
          const quoted = path.includes(other.mark) ? answer.text.replaceAll(other.mark, '') : answer.text;
          for (const secret of [other.mark, other.color, ...etags]) expect(quoted, path).to.not.contain(secret);
        }
        const { status, etag, location, bytes } = before.get(path)!;
        expect([third.status, third.etag, third.location], path).to.deep.equal([status, etag, location]);
        expect(third.bytes.equals(bytes), path).to.equal(true);
        // Those of brands are numbers of changes, for conditions of the same account.
        if (first.status === 200 && first.text.includes(one.mark) && !path.startsWith('/v1/brands'))
          expect(first.etag === undefined || first.etag !== second.etag, path).to.equal(true);
      }
      const [mine, theirs] = [await batch(one), await batch(two)];
      expect(mine).to.contain(one.mark).and.not.contain(two.mark);
      expect(theirs).to.contain(two.mark).and.not.contain(one.mark);
      expect(await batch(stranger)).to.not.match(/qvone|qvtwo/);
    }
  });
});
