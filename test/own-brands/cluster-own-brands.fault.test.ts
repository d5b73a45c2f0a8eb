// Own brands with two processes: both processes serve a confirmed change, and concurrent changes don't overwrite each
// other.
import { expect } from 'chai';
import { describeWithServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';

describeWithServers('own brands in two processes', ['mongod', 'redis-server'], () => {
  let cluster: ServiceCluster;
  before(async () => {
    cluster = await openServiceCluster(await sharedAddresses());
  });
  after(() => cluster.close());

  it('are visible in both once the change is answered', async () => {
    const { apiKey } = await cluster.customer('internal');
    const [one, two] = cluster.processes;
    const put = (base: string, path: string, type: string, body: string) =>
      fetch(`${base}/v1/brands/intranet${path}`, {
        method: 'PUT',
        headers: { 'X-API-Key': apiKey, 'Content-Type': type },
        body,
      });
    const draw = (base: string, color: string) =>
      put(
        base,
        '/variants/default',
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${color}" d="M0 0h8v8z"/></svg>`,
      );
    const colorAt = async (base: string) => {
      const answer = await fetch(`${base}/v1/svg/intranet?color=brand`, { headers: { 'X-API-Key': apiKey } });
      return /#[0-9a-f]{6}/.exec(await answer.text())?.[0];
    };
    expect((await put(one.base, '', 'application/json', '{"title":"Intranet"}')).status).to.equal(201);
    for (let round = 0; round < 10; round++) {
      const color = `#${(0x111111 + round * 0x10101).toString(16)}`;
      const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
      expect((await draw(writer.base, color)).status).to.be.oneOf([200, 201]);
      expect(await colorAt(reader.base), `round ${round}`).to.equal(color);
      expect(await colorAt(writer.base)).to.equal(color);
    }
    const outcomes = await Promise.all([draw(one.base, '#aa0000'), draw(two.base, '#00aa00')]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal([200, 200]);
    const [first, second] = [await colorAt(one.base), await colorAt(two.base)];
    expect(first).to.equal(second).and.be.oneOf(['#aa0000', '#00aa00']);
  });

  it('end in the state of one of two concurrent changes, never in a mixture, and If-Match rejects one of both', async () => {
    const { apiKey } = await cluster.customer('internal');
    const bases = cluster.processes.map(({ base }) => base);
    const key = { 'X-API-Key': apiKey };
    const put = (base: string, slug: string, mark: string, condition: Readonly<Record<string, string>> = {}) =>
      fetch(`${base}/v1/brands/${slug}`, {
        method: 'PUT',
        headers: { ...key, 'Content-Type': 'application/json', ...condition },
        body: JSON.stringify({
          title: mark,
          domains: [`${mark}.corp`],
          aliases: [`alias ${mark}`],
          categories: [mark],
        }),
      });
    const marksAt = async (base: string, slug = 'wiki') => {
      const { brand } = (await (await fetch(`${base}/v1/brands/${slug}`, { headers: key })).json()) as {
        brand: { title: string; domains: string[]; aliases: string[]; categories: string[]; version: number };
      };
      const { title, domains, aliases, categories, version } = brand;
      const marks = new Set([
        title,
        domains[0]?.replace('.corp', ''),
        aliases[0]?.replace('alias ', ''),
        categories[0],
      ]);
      return { marks: [...marks], tag: `"${version}"` };
    };
    expect((await put(bases[0] ?? '', 'wiki', 'start')).status).to.equal(201);
    for (let round = 0; round < 5; round++) {
      const names = bases.map((_, at) => `r${round}p${at}`);
      const free = await Promise.all(bases.map((base, at) => put(base, 'wiki', names[at] ?? '')));
      expect(free.map(({ status }) => status)).to.deep.equal([200, 200]);
      const found = await Promise.all(bases.map((base) => marksAt(base)));
      expect(found[0]).to.deep.equal(found[1]);
      expect(found[0]?.marks, 'all facts are of one change').to.have.length(1);
      expect(names).to.include(found[0]?.marks[0]);
      const condition = { 'If-Match': found[0]?.tag ?? '' };
      const held = await Promise.all(bases.map((base, at) => put(base, 'wiki', `c${names[at] ?? ''}`, condition)));
      expect(held.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
      const winner = `c${names[held.findIndex(({ status }) => status === 200)] ?? ''}`;
      for (const base of bases) expect((await marksAt(base)).marks).to.deep.equal([winner]);
    }
    const slugs = Array.from({ length: 10 }, (_, at) => `brand${at}`);
    await Promise.all(slugs.map((slug, at) => put(bases[at % 2] ?? '', slug, `m${at}`)));
    for (const base of bases) {
      const { brands } = (await (await fetch(`${base}/v1/brands`, { headers: key })).json()) as {
        brands: { slug: string }[];
      };
      expect(brands.map(({ slug }) => slug)).to.deep.equal([...slugs, 'wiki']);
    }
  });
});
