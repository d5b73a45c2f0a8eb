// Own brands in two processes: a change is seen by both from its answer on, and two at once end in one of both.
import { expect } from 'chai';
import { describeWithServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';

describeWithServers('own brands in two processes', ['mongod', 'redis-server'], () => {
  let cluster: ServiceCluster;
  before(async () => {
    cluster = await openServiceCluster(await sharedAddresses());
  });
  after(() => cluster.close());

  it('are seen by both from the answer on', async () => {
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
});
