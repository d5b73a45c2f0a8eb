// Isolation of own brands. With random brands, no route may return one account's brands to another account.
import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { newApiKey } from '../../src/accounts/api-key.js';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { missingReport } from '../../src/missing-names/missing-names.js';
import { isMetered, type Route } from '../../src/platform/http/route.js';
import { repeated } from '../support/extent.js';
import { suiteServer, type Customer } from '../support/server.js';
import { nameOf, ROUTES } from '../support/route-bench.js';
import { credentialsOf, publishableKey } from '../support/route-calls.js';

/** Slugs of own brands. The catalog has entries with the first two slugs. */
const SLUGS = ['github', 'stripe', 'intranet', 'wiki', 'nas', 'nodejs'];
const HOSTS = ['github.com', 'intranet.corp', 'nas.local', '10.0.0.7', 'jira', 'stripe.com', 'docs.stripe.com'];
const VARIANTS = ['default', 'mono', 'wordmark'];
const COMMON = { slug: 'github', host: 'github.com' };

interface Tenant {
  readonly customer: Customer;
  readonly key: string;
  /** Text that occurs in all titles, aliases and categories of this account, and in no other data. */
  readonly mark: string;
  readonly color: string;
}

interface RouteCase {
  readonly slug: string;
  readonly host: string;
  readonly mark: string;
}

interface Call {
  readonly route: string;
  readonly auth: Route['auth'];
  /** Path of the request. `{key}` is replaced by the publishable key. */
  readonly path: string;
  readonly body?: object;
}

const someOf = <Item>(items: readonly Item[]): Item[] => items.filter(() => randomInt(2) === 1);

const strips = (): readonly string[] => [
  `?icons=${SLUGS.join()}&fallback=skip`,
  `?icons=${SLUGS.join()}&fallback=skip&format=png`,
];

/** Route → queries or bodies that look up the brand. */
const ASKED: Readonly<Record<string, (asked: RouteCase) => readonly (string | object)[]>> = {
  'GET /v1/svg/{slug}': () => ['?size=16', '?size=16&key={key}', '?size=16&variant=mono', '?fallback=monogram'],
  'GET /v1/png/{slug}': () => ['?size=16', '?size=16&key={key}', '?size=16&variant=mono'],
  'GET /v1/webp/{slug}': () => ['?size=16', '?size=16&variant=mono'],
  'GET /v1/logo/{domain}': () => ['?size=16&format=svg', '?size=16', '?size=16&fallback=monogram'],
  'GET /v1/strip': strips,
  'POST /v1/catalog/batch': ({ slug }) => [{ slugs: [...SLUGS, slug, 'common'] }],
  'GET /v1/search': ({ slug, mark }) => [
    ...[`?q=${slug}`, `?q=${mark}`, '?color=ff0000&limit=100', `?category=${mark}-kind`, '?variant=default&limit=1'],
  ],
  'GET /v1/brand': ({ host, mark }) => [
    `?domain=${host}`,
    `?url=https://${host}/x`,
    `?email=a@${host}`,
    `?name=${mark}`,
  ],
  'GET /iconify/{publishableKey}/{prefix}.json': () => [`?icons=${SLUGS.join()}`],
  'GET /iconify/{publishableKey}/collection': () => ['?prefix=blazon&info=1', '?prefix=blazon-wordmark'],
  'GET /iconify/{publishableKey}/search': ({ slug, mark }) => [`?query=${slug}`, `?query=${mark}`],
  'GET /iconify/{publishableKey}/keywords': ({ mark }) => [`?prefix=${mark.slice(0, 5)}`],
  'GET /compat/{publishableKey}/clearbit/v1/companies/suggest': ({ slug }) => [`?query=${slug}`],
  'GET /compat/{publishableKey}/clearbit/v1/domains/find': ({ slug, mark }) => [`?name=${slug}`, `?name=${mark}`],
  'GET /compat/{publishableKey}/google/s2/favicons': ({ host }) => [`?domain=${host}`],
  'GET /compat/{publishableKey}/google/faviconV2': ({ host }) => [`?url=https://${host}`],
  'GET /compat/{publishableKey}/besticon/icon': ({ host }) => [`?url=${host}&size=32`],
  'GET /compat/{publishableKey}/skillicons/icons': ({ slug }) => [`?i=js,${slug}`],
  'GET /r/registry.json': ({ slug, mark }) => [`?q=${slug}`, `?q=${mark}`],
  'POST /mcp': ({ slug, host, mark }) =>
    [
      ...[
        { name: 'search_icons', arguments: { query: mark } },
        { name: 'get_icon', arguments: { slug } },
      ],
      ...[
        { name: 'list_variants', arguments: { slug } },
        { name: 'get_icon_url', arguments: { slug } },
      ],
      ...[
        { name: 'list_categories', arguments: {} },
        { name: 'brand_by_domain', arguments: { domain: host } },
      ],
    ].map((params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })),
  'GET /dashboard/strip': strips,
  'GET /dashboard/search': ({ slug, mark }) => [`?q=${slug}`, `?q=${mark}`],
};

/**
 * Routes that look up no brand. The first one returns a version. The second one receives the name of a missing brand.
 */
const OTHERS = new Set(['GET /iconify/{publishableKey}/version', 'POST /dashboard/missing']);
const LOOKUPS = ROUTES.filter(
  (route) =>
    (isMetered(route) ||
      route.path.startsWith('/dashboard/') ||
      (route.auth === 'account' && route.method === 'GET')) &&
    ['key', 'visitor', 'account'].includes(route.auth) &&
    !OTHERS.has(nameOf(route)),
);

function callsOf(route: Route, asked: RouteCase): readonly Call[] {
  const { slug, host } = asked;
  const path = route.path
    .replace('{publishableKey}', '{key}')
    .replace('{prefix}', 'blazon')
    .replace('{domain}', host)
    .replace('{+path}', `${host}/w/16/h/16/icon.png`)
    .replace('{color}', '0cf')
    .replace('{darkColor}', 'fff')
    .replace('{file}', 'icon.svg')
    .replace(/\{(slug|name)\}/, slug);
  const name = nameOf(route);
  return (ASKED[name]?.(asked) ?? ['']).map((one) => ({
    ...{ route: name, auth: route.auth, path: typeof one === 'string' ? path + one : path },
    ...(typeof one === 'object' && { body: one }),
  }));
}

describe('own brands of several accounts', () => {
  const server = suiteServer();

  const ask = async ({ customer, key }: Tenant, { auth, path, body }: Call) => {
    const isInAddress = path.includes('{key}');
    const response = await fetch(server.base + path.replace('{key}', key), {
      redirect: 'manual',
      method: body ? 'POST' : 'GET',
      headers: {
        ...(isInAddress ? {} : credentialsOf(auth, customer)),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, `${path} ${bytes.toString('latin1', 0, 300)}`).to.be.below(500);
    const fields = [
      'etag',
      'location',
      'cache-control',
      'vary',
      'age',
      'last-modified',
      'x-blazon-slug',
      'x-blazon-fallback',
    ];
    const head = fields.map((name) => response.headers.get(name)?.replaceAll(key, 'KEY') ?? null);
    const text = bytes.toString('latin1').replaceAll(key, 'KEY');
    return { status: response.status, etag: head[0], head, text, all: `${head.join('\n')}\n${text}` };
  };
  type Answer = Awaited<ReturnType<typeof ask>>;

  function expectNothingOf(
    { mark, color, etags }: Tenant & { readonly etags: readonly string[] },
    { all }: Answer,
    call: Call,
  ): void {
    const question = JSON.stringify(call);
    // If the request contains the mark, the response may quote it.
    const quoted = question.includes(mark) ? all.replaceAll(mark, '') : all;
    for (const secret of [mark, color, ...etags]) expect(quoted, question).to.not.contain(secret);
  }
  /**
   * Checks a response that contains an own brand: the ETag differs between the accounts, and caches must revalidate the
   * response.
   */
  function expectOwnTag({ mark, color }: Tenant, [first, second]: readonly [Answer, Answer], path: string): void {
    const { status, text, etag, head } = first;
    if (!text.includes(mark) && !text.includes(color)) return;
    // ETags of /v1/brands are version numbers of a brand, so two accounts may have equal ETags.
    if (status === 200 && text.includes(mark) && !path.startsWith('/v1/brands'))
      expect(etag === null || etag !== second.etag, path).to.equal(true);
    expect(head[2] ?? 'no-store', `${path}: cached`).to.match(/no-cache|no-store|immutable/);
  }
  async function put({ customer: { apiKey } }: Tenant, path: string, type: string, body: string): Promise<string> {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': type };
    const response = await fetch(`${server.base}/v1/brands/${path}`, { method: 'PUT', headers, body });
    const text = await response.text();
    expect(response.status, text).to.be.below(300);
    return text;
  }
  /** Creates random brands in the account. Returns the hashes of the drawings. */
  async function fill(tenant: Tenant): Promise<readonly string[]> {
    const etags: string[] = [];
    const { mark, color } = tenant;
    for (const slug of [COMMON.slug, ...someOf(SLUGS.slice(1)), 'common']) {
      const domains = slug === COMMON.slug ? [COMMON.host] : someOf(HOSTS.slice(1));
      const facts = { title: `${mark} ${slug}`, domains, aliases: [`${mark}-${slug}`], categories: [`${mark}-kind`] };
      await put(tenant, slug, 'application/json', JSON.stringify(facts));
      // The default drawing of the brand `common` is the same in all accounts. All other drawings have the account's
      // color.
      for (const [at, variant] of ['default', ...someOf(VARIANTS.slice(1))].entries()) {
        const fill = at === 0 && slug === 'common' ? '#123456' : color;
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

  it('appear in no response to another account, and change none for strangers', async () => {
    let compared = 0;
    for (let round = 0; round < repeated(1, 2); round++) {
      const one = await tenant(`qvone${round}x`, '#a1b2c3');
      const two = await tenant(`qvtwo${round}x`, '#d4e5f6');
      const stranger = await tenant(`qvnone${round}x`, '#000001');
      const asked: readonly RouteCase[] = [
        ...[
          { ...COMMON, mark: one.mark },
          { ...COMMON, mark: two.mark },
        ],
        ...SLUGS.slice(1, repeated(2, SLUGS.length)).map((slug, at) => ({
          slug,
          host: HOSTS[at + 1] ?? '',
          mark: one.mark,
        })),
      ];
      const all = LOOKUPS.flatMap((route) => asked.flatMap((each) => callsOf(route, each)));
      const before = new Map<Call, Awaited<ReturnType<typeof ask>>>();
      for (const call of all) before.set(call, await ask(stranger, call));
      const [etagsOne, etagsTwo] = [await fill(one), await fill(two)];
      expect(etagsOne.filter((etag) => etagsTwo.includes(etag))).to.deep.equal([]);
      /** Routes whose responses contained the account's own brands. */
      const shown = new Set<string>();
      for (const call of all) {
        const { path } = call;
        const [first, second, third] = [await ask(one, call), await ask(two, call), await ask(stranger, call)];
        expectNothingOf({ ...two, etags: etagsTwo }, first, call);
        expectNothingOf({ ...one, etags: etagsOne }, second, call);
        compared += 2;
        expect([third.status, third.head, third.text], path).to.deep.equal([
          ...[before.get(call)?.status, before.get(call)?.head, before.get(call)?.text],
        ]);
        if (first.all !== third.all) shown.add(call.route);
        expectOwnTag(one, [first, second], path);
      }
      expect(
        LOOKUPS.map(nameOf).filter((name) => !shown.has(name)),
        'no own brand in any answer',
      ).to.deep.equal([]);
    }
    // Two accounts have requested about 45 routes, each for three brands (seven in `npm run test:all`) and with several
    // queries.
    expect(compared).to.be.above(400 * repeated(1, 4));
  });

  it('are only missing for other accounts', async () => {
    const one = await tenant('qvmissing', '#a1b2c3');
    await put(one, 'qvhere', 'application/json', '{"title":"Here","domains":["here.example.com"]}');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8z"/></svg>';
    await put(one, 'qvhere/variants/default', 'image/svg+xml', svg);
    const call = (path: string): Call => ({ route: '', auth: 'key', path });
    for (const path of ['/v1/svg/qvhere', '/v1/logo/here.example.com', '/v1/strip?icons=qvhere'])
      expect((await ask(one, call(path))).status, path).to.equal(200);
    await ask(one, call('/v1/svg/qvnowhere'));
    let names: readonly { readonly name: string }[] = [];
    while (!names.some(({ name }) => name === 'qvnowhere')) {
      names = missingReport(await server.stores.missingNames.range(ALL_DAYS));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(names.map(({ name }) => name))
      .to.not.include.members(['qvhere'])
      .and.not.include('example.com');
  });

  it('are hidden from a wrong key of their account, which gets the responses of an unknown key', async () => {
    const one = await tenant('qvwrong', '#a1b2c3');
    await fill(one);
    const heard = new Set<string>();
    for (const path of ['/v1/svg/common', '/v1/svg/none', '/v1/catalog/common', '/v1/search?q=qvwrong']) {
      await ask(one, { route: '', auth: 'key', path });
      for (const id of [one.customer.id, 'AccountId012']) {
        const apiKey = newApiKey(id as AccountId).raw;
        const { status, all } = await ask(
          { ...one, customer: { ...one.customer, apiKey } },
          { route: '', auth: 'key', path },
        );
        heard.add(`${status} ${all}`);
      }
    }
    expect([...heard]).to.have.length(1);
    expect([...heard][0]).to.match(/^401 /);
  });
});
