// The Iconify routes: brands and imported sets.
import type { IconifyJSON } from '@iconify/types';
import { validateIconSet } from '@iconify/utils/lib/icon-set/validate';
import { matchIconName } from '@iconify/utils/lib/icon/name';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { importIconSets, realSet, SHAPES, withoutIds } from '../support/icon-sets.js';
import { pageKey, type PageKey } from '../support/page-keys.js';
import { suiteServer } from '../support/server.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

type Json = Readonly<Record<string, unknown>>;

interface IconsAnswer {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, unknown>>;
  readonly not_found?: readonly string[];
}

interface Found {
  readonly results: readonly { readonly slug: string; readonly match: { readonly field: string } }[];
}

interface Collection {
  readonly uncategorized?: readonly string[];
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly aliases?: Readonly<Record<string, string>>;
}

describe('the Iconify protocol', () => {
  const REAL = realSet();
  let key: PageKey;
  const server = suiteServer();
  before(async () => {
    await importIconSets(server.stores.catalog, [SHAPES, REAL]);
    await server.service.refreshCatalog();
    key = await pageKey(server);
  });

  const ours = (path: string, headers: Record<string, string> = {}) =>
    server.get(`/iconify/${key.raw}${path}`, undefined, headers);
  const read = async <Body>(path: string) => (await (await ours(path)).json()) as Body;

  describe('for the catalog itself', () => {
    it('has every entry and its variants, with valid Iconify names', async () => {
      const {
        icons,
        aliases,
        not_found: missing,
      } = await read<IconsAnswer>('/blazon.json?icons=github,k8s,kubernetes,nothing-at-all');
      expect(icons.github?.body).to.include('<path').and.not.include('<svg');
      expect(aliases.k8s).to.deep.equal({ parent: 'kubernetes' });
      expect(missing).to.deep.equal(['nothing-at-all']);
      const mono = await read<IconsAnswer>('/blazon-mono.json?icons=github');
      expect(mono).to.include({ width: 24, height: 24 });
      expect(mono.icons.github?.body).to.include('currentColor');
      // Each icon of an imported set is also an entry of the catalog.
      const home = await read<IconsAnswer>('/blazon.json?icons=shapes-home');
      expect(home.icons['shapes-home']?.body).to.include('currentColor');
    });

    it('writes JSON as JSON.stringify does, with line breaks if `pretty` is given', async () => {
      const paths = [
        ...['/blazon.json?icons=github,k8s,nothing', '/blazon.json?icons=nothing', '/blazon.json?icons=github'],
        ...['/collections', '/collection?prefix=shapes&info=1&chars=1', '/search?query=github', '/last-modified'],
      ];
      for (const path of paths)
        for (const [suffix, indent] of [
          ['', undefined],
          [`${path.includes('?') ? '&' : '?'}pretty=1`, 4],
        ] as const) {
          const text = await (await ours(`${path}${suffix}`)).text();
          expect(text, path + suffix).to.equal(JSON.stringify(JSON.parse(text), null, indent));
        }
    });

    it('returns a set that @iconify/utils accepts, with valid names', async () => {
      const collections = await read<Record<string, { total: number }>>('/collections');
      expect(Object.keys(collections)).to.include.members(['blazon', 'blazon-mono', 'blazon-dark', 'shapes', 'real']);
      for (const [prefix, { total }] of Object.entries(collections)) {
        const list = await read<Collection>(`/collection?prefix=${prefix}&info=1&chars=1`);
        const names = [
          ...(list.uncategorized ?? []),
          ...Object.values(list.categories ?? {}).flat(),
          ...Object.keys(list.aliases ?? {}),
        ];
        expect(new Set([...(list.uncategorized ?? []), ...Object.values(list.categories ?? {}).flat()])).to.have.length(
          total,
        );
        for (const name of names) expect(name).to.match(matchIconName);
        for (const part of [names.slice(0, 100), names.slice(-100)]) {
          const answer = await read<IconifyJSON>(`/${prefix}.json?icons=${part.join(',')}`);
          expect(answer.not_found, prefix).to.equal(undefined);
          const same = structuredClone(answer);
          expect(validateIconSet(answer, { fix: false }), prefix).to.deep.equal(same);
        }
      }
    });

    it('returns drawings with ids that no other drawing has', async () => {
      const list = await read<Collection>('/collection?prefix=blazon');
      const names = Object.values(list.categories ?? {}).flat();
      const { icons } = await read<IconsAnswer>(`/blazon.json?icons=${names.slice(0, 100).join(',')}`);
      const ids = [...new Set(Object.values(icons).map(({ body }) => body))].flatMap((body) => [
        ...new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
      ]);
      expect(new Set(ids)).to.have.length(ids.length).and.not.to.be.empty;
    });

    it('finds brands, and icons of a set under its prefix only', async () => {
      const found = await read<{ icons: string[] }>('/search?query=github');
      expect(found.icons[0]).to.equal('blazon:github');
      const house = await read<{ icons: string[] }>('/search?query=house&limit=999');
      expect(house.icons).to.include('shapes:house').and.not.include('blazon:shapes-house');
    });
  });

  it('finds brands of a kind, as the search of the catalog does', async () => {
    const apiKey = await server.key();
    for (const kind of ['databases', 'social%20media']) {
      const { icons, total } = await read<{ icons: string[]; total: number }>(`/search?query=${kind}&limit=64`);
      const { results } = (await (await server.get(`/v1/search?q=${kind}&limit=64`, apiKey)).json()) as Found;
      const ofKind = results.filter(({ match }) => match.field === 'category').map(({ slug }) => `blazon:${slug}`);
      expect(ofKind, kind).to.have.length.above(1);
      expect(icons.slice(0, ofKind.length), kind).to.deep.equal(ofKind);
      expect(new Set(icons)).to.have.property('size', total);
      const others = await read<{ icons: string[] }>(`/search?query=${kind}&prefix=blazon-mono`);
      expect(others.icons.filter((icon) => !icon.startsWith('blazon-mono:'))).to.deep.equal([]);
    }
  });

  describe('for the sets that brands come from', () => {
    const packageOf = createRequire(import.meta.url);
    const sizes = { width: 256, height: 256 };

    it('lists them under their own prefixes, as their packages describe them', async () => {
      const collections = await read<Record<string, Json>>('/collections');
      for (const name of ['logos', 'devicon']) {
        const { prefix, total, ...info } = packageOf(`@iconify-json/${name}/info.json`) as Json;
        expect(collections[prefix as string], name).to.deep.include(info);
        expect(collections[prefix as string]!.total).to.be.within(1, total as number);
      }
      expect(collections['simple-icons']).to.deep.include({ name: 'Simple Icons', height: 24, palette: false });
    });

    it('answers their icons as Iconify does', async () => {
      const { icons } = packageOf('@iconify-json/logos/icons.json') as IconifyJSON;
      const logos = await read<IconifyJSON>('/logos.json?icons=github-icon,facebook,nothing');
      expect(logos).to.deep.include({ prefix: 'logos', ...sizes, not_found: ['nothing'] });
      for (const name of ['github-icon', 'facebook'])
        expect({ ...logos.icons[name], body: withoutIds(logos.icons[name]!.body) }, name).to.deep.equal({
          ...icons[name],
          body: withoutIds(icons[name]!.body),
        });
      const glyph = await (await ours('/simple-icons/github.svg')).text();
      expect(glyph).to.match(/^<svg [^>]*viewBox="0 0 24 24"><g fill="currentColor"><path d="M12 \.297c/);
      expect((await ours('/devicon/github.svg')).status).to.equal(200);
    });

    it('finds them', async () => {
      const { icons } = await read<{ icons: string[] }>('/search?query=github&prefixes=logos,simple-icons');
      expect(icons).to.include.members(['logos:github-icon', 'simple-icons:github']);
      for (const icon of icons) expect(icon).to.match(/^(?:logos|simple-icons):/);
    });

    it('lacks withdrawn brands', async () => {
      const names = ['/logos/github-icon.svg', '/simple-icons/github.svg'];
      const statuses = () => Promise.all(names.map(async (path) => (await ours(path)).status));
      await server.stores.catalog.withdraw('github' as Slug, 'a reason', new Date());
      await server.service.refreshCatalog();
      expect(await statuses()).to.deep.equal([404, 404]);
      await server.stores.catalog.restore('github' as Slug);
      await server.service.refreshCatalog();
      expect(await statuses()).to.deep.equal([200, 200]);
    });
  });

  describe('as every route', () => {
    const used = async ({ apiKey }: PageKey) =>
      Object.fromEntries(Object.entries(await server.used(apiKey)).filter(([, count]) => count > 0));
    const as = (one: PageKey, path: string, init: RequestInit = {}) =>
      fetch(`${server.base}/iconify/${one.raw}${path}`, init);

    it('counts one for each found icon, one for each other response, and none for missing icons', async () => {
      const one = await pageKey(server, { tier: 'pro' });
      const cases = [
        ['/shapes.json?icons=home,house,house,nothing', { svg: 2 }],
        ['/shapes.json?icons=nothing', { svg: 2 }],
        ['/shapes/home.svg', { svg: 3 }],
        ['/shapes/nothing.svg', { svg: 3 }],
        ['/nowhere.json?icons=home', { svg: 3 }],
        ['/search?query=home', { svg: 3, search: 1 }],
        ['/collections', { svg: 3, search: 1, catalog: 1 }],
        ['/collection?prefix=shapes', { svg: 3, search: 1, catalog: 2 }],
        ['/keywords?prefix=ho', { svg: 3, search: 1, catalog: 3 }],
        ['/last-modified', { svg: 3, search: 1, catalog: 4 }],
        ['/version', { svg: 3, search: 1, catalog: 5 }],
      ] as const;
      for (const [path, counts] of cases) {
        await as(one, path);
        expect(await used(one), path).to.deep.equal(counts);
      }
    });

    it('answers none of several icons if the rest of the quota is smaller', async () => {
      const one = await pageKey(server, { tier: 'free' });
      await server.setUsed(one.apiKey, 'svg', 999);
      const answer = await as(one, '/shapes.json?icons=home,house');
      expect(answer.status).to.equal(429);
      expect((await as(one, '/shapes.json?icons=home')).status).to.equal(200);
    });

    it('is cached by everyone, tagged, and free when it is not modified', async () => {
      const one = await pageKey(server, { tier: 'pro' });
      for (const path of [
        '/shapes.json?icons=home',
        '/shapes/home.svg',
        '/collections',
        '/collection?prefix=shapes',
        '/search?query=home',
        '/keywords?prefix=ho',
        '/last-modified',
        '/version',
      ]) {
        const first = await as(one, path);
        expect(first.headers.get('cache-control'), path).to.equal(
          'public, max-age=86400, stale-while-revalidate=604800',
        );
        expect(first.headers.get('access-control-allow-origin'), path).to.equal('*');
        expect(first.headers.get('vary') ?? '', path).to.not.match(/key/i);
        const before = await used(one);
        const etag = first.headers.get('etag') ?? '';
        const again = await as(one, path, { headers: { 'If-None-Match': etag } });
        expect(again.status, path).to.equal(304);
        const head = await as(one, path, { method: 'HEAD' });
        expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, etag]);
        expect(await used(one), path).to.deep.equal(before);
      }
    });

    it('limits everything, and names the wrong field', async () => {
      const names = Array.from({ length: 101 }, (_, at) => `n${at}`).join(',');
      const cases = [
        [`/shapes.json?icons=${names}`, 'icons'],
        ['/shapes.json?icons=', 'icons'],
        ['/Shapes.json?icons=home', 'prefix'],
        [`/${'a'.repeat(101)}.json?icons=home`, 'prefix'],
        ['/shapes/a--b.svg', 'name'],
        ['/shapes/home.svg?rotate=45deg', 'rotate'],
        ['/shapes/home.svg?flip=up', 'flip'],
        ['/shapes/home.svg?height=100000', 'height'],
        ['/shapes/home.svg?color=red%22onload%3D', 'color'],
        ['/shapes/home.svg?box=yes', 'box'],
        ['/search', 'query'],
        [`/search?query=${'a'.repeat(101)}`, 'query'],
        ['/search?query=home&limit=0', 'limit'],
        ['/search?query=home&limit=few', 'limit'],
        ['/search?query=home&limit=64&start=64', 'start'],
        ['/search?query=home&prefix=shapes&prefixes=real', 'prefix'],
        ['/collection', 'prefix'],
        ['/collection?prefix=shapes&info=false', 'info'],
        ['/keywords', 'query'],
        ['/last-modified?prefixes=A', 'prefixes'],
        ['/shapes.json?icons=home&callback=a', 'callback'],
      ] as const;
      for (const [path, field] of cases) await expectInvalid(await ours(path), field);
      expect((await ours(`/shapes.json?icons=${names.slice(0, names.lastIndexOf(','))}`)).status).to.equal(200);
    });

    it('requires a publishable key, and rejects pages of other origins', async () => {
      const one = await pageKey(server, { origins: ['example.com'] });
      const own = { headers: { Origin: 'https://example.com' } };
      expect((await as(one, '/shapes.json?icons=home', own)).status).to.equal(200);
      const other = await as(one, '/shapes.json?icons=home', { headers: { Origin: 'https://example.org' } });
      await expectError(other, 403, 'forbidden');
      const forged = await server.get(`/iconify/blzp_${'a'.repeat(51)}/shapes.json?icons=home`);
      expect([forged.status, forged.headers.get('access-control-allow-origin')]).to.deep.equal([401, '*']);
      expect((await server.get(`/iconify/${one.apiKey}/collections`)).status).to.be.oneOf([400, 401]);
    });

    it('lacks withdrawn icons and their aliases', async () => {
      const etag = (await ours('/shapes.json?icons=smarthome')).headers.get('etag');
      await server.stores.catalog.withdraw('shapes-github' as Slug, 'test', new Date());
      await server.service.refreshCatalog();
      const answer = await read<IconsAnswer>('/shapes.json?icons=github,octocat,home');
      expect(answer.not_found).to.deep.equal(['github', 'octocat']);
      expect((await ours('/shapes.json?icons=smarthome')).headers.get('etag')).to.not.equal(etag);
      await server.stores.catalog.restore('shapes-github' as Slug);
      await server.service.refreshCatalog();
      expect((await ours('/shapes/octocat.svg')).status).to.equal(200);
    });
  });
});
