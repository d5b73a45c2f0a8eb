// The Iconify protocol: every answer for an imported set is that of Iconify's own API, field by field.
import type { IconifyJSON } from '@iconify/types';
import { validateIconSet } from '@iconify/utils/lib/icon-set/validate';
import { matchIconName } from '@iconify/utils/lib/icon/name';
import { expect } from 'chai';
import type { Slug } from '../../src/domain/catalog/entry.js';
import { startIconifyApi, type IconifyApi } from '../support/iconify-api.js';
import { importIconSets, realSet, SHAPES } from '../support/icon-sets.js';
import { pageKey, type PageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';

type Json = Readonly<Record<string, unknown>>;

interface IconsAnswer {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, unknown>>;
  readonly not_found?: readonly string[];
}

interface Collection {
  readonly uncategorized?: readonly string[];
  readonly categories?: Readonly<Record<string, readonly string[]>>;
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Ids in bodies: ours are such that no two drawings have the same. */
function withoutIds(text: string): string {
  const ids = new Map<string, string>();
  const nameOf = (id: string): string => {
    ids.set(id, ids.get(id) ?? `id${ids.size}`);
    return ids.get(id) ?? '';
  };
  return text.replace(
    /(id=\\?"|url\(#|href=\\?"#)([^"\\)]+)/g,
    (_all, before: string, id: string) => before + nameOf(id),
  );
}

describe('the Iconify protocol', function () {
  this.timeout(180_000);
  const REAL = realSet();
  let server: TestServer;
  let api: IconifyApi;
  let key: PageKey;
  before(async () => {
    server = await startServer();
    await importIconSets(server.stores.catalog, [SHAPES, REAL]);
    await server.service.refreshCatalog();
    api = await startIconifyApi({ shapes: SHAPES, real: REAL });
    key = await pageKey(server);
  });
  after(async () => {
    api.close();
    await server.close();
  });

  const ours = (path: string, headers: Record<string, string> = {}) =>
    server.get(`/iconify/${key.raw}${path}`, undefined, headers);
  const theirs = (path: string) => fetch(api.base + path);

  const jsonOf = async (answer: Response): Promise<Json> =>
    JSON.parse(await answer.text(), (_name, value: unknown) =>
      typeof value === 'string' ? withoutIds(value) : value,
    ) as Json;
  async function expectSame(path: string, change: (answer: Json) => Json = (answer) => answer): Promise<Json> {
    const [own, peer] = await Promise.all([ours(path), theirs(path)]);
    expect(own.status, path).to.equal(200);
    const found = await jsonOf(own);
    expect(found, path).to.deep.equal(change(await jsonOf(peer)));
    return found;
  }

  describe('for an imported set, as @iconify/api', () => {
    it('answers every icon, alias and character', async () => {
      for (const set of [SHAPES, REAL]) {
        const names = [...Object.keys(set.icons), ...Object.keys(set.aliases ?? {}), ...Object.keys(set.chars ?? {})];
        for (const name of names) await expectSame(`/${set.prefix}.json?icons=${name}`);
        for (let at = 0; at < names.length; at += 20)
          await expectSame(`/${set.prefix}.json?icons=${names.slice(at, at + 20).join(',')}`);
      }
    });

    it('answers unknown names, alone and among others, and repeated ones', async () => {
      for (const icons of ['nothing', 'nothing,home,house', 'home,home', 'nothing,nothing', ',', 'A,home', 'loop'])
        await expectSame(`/shapes.json?icons=${icons}`);
    });

    it('answers SVG with every parameter', async () => {
      const parameters = [
        '',
        'width=48&height=auto',
        'height=none',
        'height=32px',
        'width=2em',
        'color=%23ff0000',
        'color=rgb(1, 2, 3)',
        'flip=horizontal',
        'flip=vertical',
        'flip=horizontal,vertical',
        'rotate=90deg',
        'rotate=3',
        'rotate=50%25&flip=vertical',
        'box=1',
        'download=1',
        'width=20&height=30&color=red&rotate=1&box=true',
      ];
      const names = Object.keys({ ...SHAPES.icons, ...SHAPES.aliases, ...(SHAPES.chars as object) });
      for (const name of names) {
        for (const query of parameters) {
          const path = `/shapes/${name}.svg?${query}`;
          const [own, peer] = await Promise.all([ours(path), theirs(path)]);
          expect(own.status, path).to.equal(200);
          expect(withoutIds(await own.text()), path).to.equal(withoutIds(await peer.text()));
          for (const field of ['content-type', 'content-disposition', 'access-control-allow-origin'])
            expect(own.headers.get(field), `${field} of ${path}`).to.equal(peer.headers.get(field));
        }
      }
    });

    it('lists its icons', async () => {
      for (const set of ['shapes', 'real'])
        for (const query of ['', '&info=true', '&chars=true', '&info=1&chars=1&aliases=true&hidden=true'])
          await expectSame(`/collection?prefix=${set}${query}`);
    });

    it('lists it among the sets', async () => {
      for (const query of ['prefix=shapes', 'prefixes=shapes,real', 'prefixes=sha-,rea', 'prefixes=none'])
        for (const route of ['collections', 'last-modified']) await expectSame(`/${route}?${query}`);
    });

    it('finds its icons in the same order', async () => {
      const texts = [
        'home', 'ho', 'hom', 'outline', 'arrow', 'arrow le', 'home-', '-home', 'git hub', 'github', 'hub', 'house',
        'shapes:home', 'shapes:', 'prefix:shapes home', 'prefix=shapes home', 'prefixes:shapes,real a', 'sha*:home',
        'prefix:sha* home', 'palette:true home', 'palette=false home', 'palette:maybe', 'home nothing', 'x=y', 'a:b:c',
        'shapes home', 'shapes-home', 'home city', 'city home', 'arrow-left', 'arrow-l', 'ARROW', 'home--city', '--', 'ä',
        'home-outline', 'aws', 'apache', 'a', 'ap', 'adobe photo', 'icon', 'logo mark', 'real:aws', 'real apple', 'oc',
        'fill', 'haus', 'smart', 'smart home', 'arrow right',
      ]; // prettier-ignore
      for (const text of texts)
        for (const query of [
          'prefixes=shapes,real',
          'prefix=shapes&limit=32&start=1',
          'prefixes=sha-,shapes,real&similar=false',
        ])
          await expectSame(`/search?query=${encodeURIComponent(text)}&${query}`);
      for (const query of [
        'category=UI%2024px',
        'category=none',
        'prefixes=shapes,real&min=40',
        'prefixes=shapes,real&limit=999',
      ])
        await expectSame(`/search?query=ho&${query}`);
      await expectSame('/search?query=a&prefixes=shapes,real&min=32');
    });

    it('differs only as is said here', async () => {
      // Bodies: ids are such that no two drawings share one, and what the sanitizer drops is not there.
      const { icons } = (await (await ours('/shapes.json?icons=gradient')).json()) as {
        icons: Record<string, { body: string }>;
      };
      expect(icons.gradient?.body)
        .to.match(/id="b[0-9a-f]{10}-0"/)
        .and.include('x2="100%"');
      const differences = [
        // Bad input is an error that names the field, where Iconify answers 200 with "404" as its body, clamps, or ignores it.
        ['/shapes.json', 400, 200],
        ['/search?query=home&limit=5', 400, 200],
        ['/search?query=home&limit=1000', 400, 200],
        ['/shapes/home.svg?color=bad"', 400, 200],
        ['/shapes/home.svg?width=wide', 400, 200],
        ['/collections?unknown=1', 400, 200],
        // JSONP would be a script of ours in a page; CORS is open to every origin.
        ['/shapes.json?icons=home&callback=take', 400, 200],
        ['/shapes.js?icons=home', 404, 200],
        // Icons are not told apart by fill and stroke.
        ['/search?query=style:fill+home', 400, 200],
        // The first version of Iconify's API, and style sheets.
        ['/list-icons?prefix=shapes', 404, 200],
        ['/shapes.css?icons=home', 404, 200],
        ['/shapes/icons.json?icons=home', 404, 200],
        ['/shapes:home.svg', 404, 200],
      ] as const;
      for (const [path, status, peer] of differences) {
        expect((await ours(path)).status, path).to.equal(status);
        expect((await theirs(path)).status, `theirs of ${path}`).to.equal(peer);
      }
      expect(await (await ours('/version')).text()).to.equal('Blazon version 0.0.0');
    });

    it('agrees about what is not there', async () => {
      for (const path of ['/nowhere/home.svg', '/shapes/nothing.svg', '/collection?prefix=nowhere'])
        for (const answer of [await ours(path), await theirs(path)]) expect(answer.status, path).to.equal(404);
    });

    it('agrees about keywords', async () => {
      // Ours are of all sets, brands among them.
      const all = new Set(
        [...Object.keys(SHAPES.icons), ...Object.keys(REAL.icons)].flatMap((name) => name.split('-')),
      );
      for (const query of [
        'keyword=outl',
        'prefix=smartho',
        'keyword=city',
        'keyword=A!',
        'prefix=nowhere-out',
        'keyword=zz',
        'prefix=arrow-lef',
      ]) {
        const { matches, ...own } = await jsonOf(await ours(`/keywords?${query}`));
        const { matches: expected, ...rest } = await jsonOf(await theirs(`/keywords?${query}`));
        expect(own, query).to.deep.equal(rest);
        expect(
          (matches as string[]).filter((match) => (expected as string[]).includes(match)),
          query,
        ).to.deep.equal(expected);
        expect(
          (matches as string[]).filter((match) => all.has(match)),
          query,
        ).to.deep.equal((expected as string[]).filter((match) => all.has(match)));
      }
    });
  });

  describe('for the catalog itself', () => {
    it('has every entry and its variants, by names of Iconify', async () => {
      const {
        icons,
        aliases,
        not_found: missing,
      } = (await (await ours('/blazon.json?icons=github,k8s,kubernetes,nothing-at-all')).json()) as IconsAnswer;
      expect(icons.github?.body).to.include('<path').and.not.include('<svg');
      expect(aliases.k8s).to.deep.equal({ parent: 'kubernetes' });
      expect(missing).to.deep.equal(['nothing-at-all']);
      const mono = (await (await ours('/blazon-mono.json?icons=github')).json()) as IconsAnswer;
      expect(mono.icons.github?.body).to.include('currentColor');
      // An icon of an imported set is an entry, too.
      const home = (await (await ours('/blazon.json?icons=shapes-home')).json()) as IconsAnswer;
      expect(home.icons['shapes-home']?.body).to.include('currentColor');
    });

    it('answers what @iconify/utils accepts as an icon set, with names by its rule', async () => {
      const collections = (await (await ours('/collections')).json()) as Record<string, { total: number }>;
      expect(Object.keys(collections)).to.include.members(['blazon', 'blazon-mono', 'blazon-dark', 'shapes', 'real']);
      for (const [prefix, { total }] of Object.entries(collections)) {
        const list = (await (await ours(`/collection?prefix=${prefix}&info=1&chars=1`)).json()) as Collection;
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
          const answer = (await (await ours(`/${prefix}.json?icons=${part.join(',')}`)).json()) as IconifyJSON;
          expect(answer.not_found, prefix).to.equal(undefined);
          const same = structuredClone(answer);
          expect(validateIconSet(answer, { fix: false }), prefix).to.deep.equal(same);
        }
      }
    });

    it('gives drawings whose ids differ from those of all others', async () => {
      const list = (await (await ours('/collection?prefix=blazon')).json()) as Collection;
      const names = Object.values(list.categories ?? {}).flat();
      const { icons } = (await (
        await ours(`/blazon.json?icons=${names.slice(0, 100).join(',')}`)
      ).json()) as IconsAnswer;
      const ids = [...new Set(Object.values(icons).map(({ body }) => body))].flatMap((body) => [
        ...new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
      ]);
      expect(new Set(ids)).to.have.length(ids.length).and.not.to.be.empty;
    });

    it('finds brands, and icons of a set under its prefix only', async () => {
      const found = (await (await ours('/search?query=github')).json()) as { icons: string[]; collections: object };
      expect(found.icons[0]).to.equal('blazon:github');
      const house = (await (await ours('/search?query=house&limit=999')).json()) as { icons: string[] };
      expect(house.icons).to.include('shapes:house').and.not.include('blazon:shapes-house');
    });
  });

  describe('as every route', () => {
    const used = async ({ apiKey }: PageKey): Promise<Record<string, number>> => {
      const report = (await (await server.get('/v1/usage', apiKey)).json()) as {
        endpoints: Record<string, { used: number }>;
      };
      return Object.fromEntries(
        Object.entries(report.endpoints).flatMap(([bucket, { used: n }]) => (n ? [[bucket, n]] : [])),
      );
    };
    const as = (one: PageKey, path: string, init: RequestInit = {}) =>
      fetch(`${server.base}/iconify/${one.raw}${path}`, init);

    it('counts one for each icon that is found, one for each other answer, none for what is not', async () => {
      const one = await pageKey(server, { tier: 'free' });
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

    it('answers none of several icons when the day has fewer left', async () => {
      const one = await pageKey(server, { tier: 'free' });
      await server.setUsed(one.apiKey, 'svg', 999);
      const answer = await as(one, '/shapes.json?icons=home,house');
      expect(answer.status).to.equal(429);
      expect((await as(one, '/shapes.json?icons=home')).status).to.equal(200);
    });

    it('is cached by everyone, tagged, and free when it is not modified', async () => {
      const one = await pageKey(server, { tier: 'free' });
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

    it('has a bound on everything, and names the field that is wrong', async () => {
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
        ['/search?query=home&limit=31', 'limit'],
        ['/search?query=home&limit=64&start=64', 'start'],
        ['/search?query=home&prefix=shapes&prefixes=real', 'prefix'],
        ['/collection', 'query'],
        ['/collection?prefix=shapes&info=false', 'info'],
        ['/keywords', 'query'],
        ['/last-modified?prefixes=A', 'prefixes'],
        ['/shapes.json?icons=home&callback=a', 'callback'],
      ] as const;
      for (const [path, field] of cases) {
        const answer = await ours(path);
        const body = (await answer.json()) as { error: string; details: { field: string }[] };
        expect([answer.status, body.error], path).to.deep.equal([400, 'invalid_request']);
        expect(
          body.details.map((detail) => detail.field),
          path,
        ).to.include(field);
      }
      expect((await ours(`/shapes.json?icons=${names.slice(0, names.lastIndexOf(','))}`)).status).to.equal(200);
    });

    it('is not open without a publishable key, nor to pages that it is not for', async () => {
      const one = await pageKey(server, { origins: ['example.com'] });
      const own = { headers: { Origin: 'https://example.com' } };
      expect((await as(one, '/shapes.json?icons=home', own)).status).to.equal(200);
      const other = await as(one, '/shapes.json?icons=home', { headers: { Origin: 'https://example.org' } });
      expect(other.status).to.equal(403);
      expect(((await other.json()) as { error: string }).error).to.equal('forbidden');
      const forged = await server.get(`/iconify/blzp_${'a'.repeat(51)}/shapes.json?icons=home`);
      expect([forged.status, forged.headers.get('access-control-allow-origin')]).to.deep.equal([401, '*']);
      expect((await server.get(`/iconify/${one.apiKey}/collections`)).status).to.be.oneOf([400, 401]);
    });

    it('has no icon that was withdrawn, nor its aliases', async () => {
      const etag = (await ours('/shapes.json?icons=smarthome')).headers.get('etag');
      await server.stores.catalog.withdraw('shapes-github' as Slug, 'test', new Date());
      await server.service.refreshCatalog();
      const answer = (await (await ours('/shapes.json?icons=github,octocat,home')).json()) as IconsAnswer;
      expect(answer.not_found).to.deep.equal(['github', 'octocat']);
      expect((await ours('/shapes.json?icons=smarthome')).headers.get('etag')).to.not.equal(etag);
      await server.stores.catalog.restore('shapes-github' as Slug);
      await server.service.refreshCatalog();
      expect((await ours('/shapes/octocat.svg')).status).to.equal(200);
    });
  });
});
