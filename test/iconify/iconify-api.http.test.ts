// Compares the Iconify routes with Iconify API. The responses for an imported set must have equal fields.
import { expect } from 'chai';
import { startIconifyApi, type IconifyApi } from '../support/iconify-peer.js';
import { importIconSets, realSet, SHAPES, withoutIds } from '../support/icon-sets.js';
import { pageKey, type PageKey } from '../support/page-keys.js';
import { suiteServer } from '../support/server.js';

type Json = Readonly<Record<string, unknown>>;

describe('the Iconify protocol for an imported set, as @iconify/api', () => {
  const REAL = realSet();
  let api: IconifyApi;
  let key: PageKey;
  const server = suiteServer();
  before(async () => {
    await importIconSets(server.stores.catalog, [SHAPES, REAL]);
    await server.service.refreshCatalog();
    api = await startIconifyApi({ shapes: SHAPES, real: REAL });
    key = await pageKey(server);
  });
  after(() => api.close());

  const ours = (path: string) => server.get(`/iconify/${key.raw}${path}`);
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
    ]; // oxfmt-ignore
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
      // Limits outside the allowed range are replaced by the nearest allowed limit.
      'prefixes=shapes,real&limit=5',
      'prefixes=shapes,real&limit=5&start=31',
      'prefixes=shapes,real&limit=1000',
      'prefixes=shapes,real&limit=123456789',
      'prefixes=shapes,real&min=1',
    ])
      await expectSame(`/search?query=ho&${query}`);
    await expectSame('/search?query=a&prefixes=shapes,real&min=32');
    await expectSame('/search?query=a&prefixes=shapes,real&limit=1');
  });

  it('only differs in the listed ways', async () => {
    // The bodies differ in two ways: Blazon's ids are unique among all drawings, and the sanitizer has removed unsafe
    // content.
    const { icons } = (await (await ours('/shapes.json?icons=gradient')).json()) as {
      icons: Record<string, { body: string }>;
    };
    expect(icons.gradient?.body)
      .to.match(/id="b[0-9a-f]{10}-0"/)
      .and.include('x2="100%"');
    const differences = [
      // For invalid input, Blazon returns an error that names the field. Iconify API returns 200 with "404" as the
      // body, or ignores the input.
      ['/shapes.json', 400, 200],
      ['/shapes/home.svg?color=bad"', 400, 200],
      ['/shapes/home.svg?width=wide', 400, 200],
      ['/collections?unknown=1', 400, 200],
      // Blazon has no JSONP, because it would run a script from Blazon in the page of another site. Other sites can use
      // CORS.
      ['/shapes.json?icons=home&callback=take', 400, 200],
      ['/shapes.js?icons=home', 404, 200],
      // Blazon does not search by fill or stroke.
      ['/search?query=style:fill+home', 400, 200],
      // Blazon has no routes of version 1 of Iconify API, and no style sheets.
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

  it('agrees about missing icons', async () => {
    for (const path of ['/nowhere/home.svg', '/shapes/nothing.svg', '/collection?prefix=nowhere'])
      for (const answer of [await ours(path), await theirs(path)]) expect(answer.status, path).to.equal(404);
  });

  it('agrees about keywords', async () => {
    // Blazon's keywords come from all sets and brands. The test keeps only the keywords of the two imported sets.
    const all = new Set([...Object.keys(SHAPES.icons), ...Object.keys(REAL.icons)].flatMap((name) => name.split('-')));
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
