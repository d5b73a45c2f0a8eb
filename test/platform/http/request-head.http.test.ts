// Request lines and headers that HTTP clients never send.
import { expect } from 'chai';
import type { AccountId } from '../../../src/accounts/account.js';
import { newApiKey } from '../../../src/accounts/api-key.js';
import { answersIn, exchangeRaw } from '../../support/raw-connection.js';
import { suiteServer } from '../../support/server.js';

describe('the head of a request', () => {
  const server = suiteServer();

  const send = async (...lines: readonly string[]) =>
    answersIn(await exchangeRaw(Number(new URL(server.base).port), `${lines.join('\r\n')}\r\n\r\n`));
  const CLOSE = 'Connection: close';

  it('gets 400 for a target that Koa cannot parse, and nothing of it is logged', async () => {
    const key = newApiKey('AccountId012' as AccountId).raw;
    for (const target of [
      `//a@[/#?x=${key}`,
      `//a@[/?x=${key}#`,
      `//a@[/\xa0${key}`,
      `/v1/svg/github#${key}`,
      `/v1/svg/caf\xe9`,
      `http://a@[/${key}`,
      '*',
    ]) {
      const [answer] = await send(`GET ${target} HTTP/1.1`, 'Host: x', CLOSE);
      expect(answer?.status, target).to.equal(400);
      expect(JSON.parse(answer!.body)).to.have.property('error', 'invalid_request');
      expect(answer!.body).to.not.include(key);
    }
    expect((await send('GET //a@[/ HTTP/1.1', 'Host: x', CLOSE))[0]?.status).to.equal(404);
    expect(server.errors()).to.deep.equal([]);
  });

  it('gets an explanation for a target with raw UTF-8, and for one with #', async () => {
    for (const target of ['/v1/search?q=café', '/v1/svg/café', '/v1/search?q=a#b']) {
      const [answer] = await send(`GET ${target} HTTP/1.1`, 'Host: x', CLOSE);
      expect(JSON.parse(answer!.body), target).to.deep.include({
        error: 'invalid_request',
        message: 'request target: has a character that must be percent-encoded',
      });
    }
  });

  it('gets 400 for two Host fields (RFC 9112, section 3.2)', async () => {
    for (const hosts of [
      ['Host: x', 'Host: x'],
      ['Host: x', 'host: y'],
      ['HOST: ', 'Host: y'],
    ]) {
      const [answer] = await send('GET /healthz HTTP/1.1', ...hosts, CLOSE);
      expect(answer?.status).to.equal(400);
      expect(JSON.parse(answer!.body)).to.have.nested.property('details[0].field', 'Host');
    }
    expect((await send('GET /healthz HTTP/1.1', 'Host: x', 'X-Host: y', 'Most: z', CLOSE))[0]?.status).to.equal(200);
  });

  it('gets a response for Upgrade, and the connection is closed, because other data is not HTTP', async () => {
    const [answer, ...others] = await send(
      'GET /healthz HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    );
    expect(answer).to.include({ status: 200 });
    expect(answer!.head).to.match(/^Connection: close$/m);
    expect(others).to.deep.equal([]);
  });

  it('gets a response for an offer of HTTP/2, and the connection continues in HTTP/1.1', async () => {
    const offer =
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n';
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answers = answersIn(await exchangeRaw(Number(new URL(server.base).port), offer, next));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(answers[0]!.head).to.match(/^Connection: keep-alive$/m);
  });
});
