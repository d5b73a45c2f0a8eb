// POST /mcp
import { expect } from 'chai';
import { suiteServer } from '../support/server.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { PROTOCOL_VERSIONS } from '../../src/agents/mcp-messages.js';
import { expectError, expectInvalid } from '../support/expect-error.js';

interface Answer {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string; readonly annotations: object }[];
  };
  readonly error?: { readonly code: number };
}

describe('the Model Context Protocol', () => {
  let key: string;
  const server = suiteServer();
  beforeEach(async () => {
    key = await server.key();
  });

  const send = (message: object, headers: Record<string, string> = { 'X-API-Key': key }) =>
    fetch(`${server.base}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(message),
    });
  const ask = async (method: string, params?: object) => {
    const response = await send({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });
    expect(response.status).to.equal(200);
    return (await response.json()) as Answer;
  };
  const call = async (name: string, given: object) =>
    (await ask('tools/call', { name, arguments: given })).result ?? {};
  const used = async () => Object.fromEntries(Object.entries(await server.used(key)).filter(([, units]) => units > 0));

  it('has six read-only tools, each counted like its route', async () => {
    const { tools } = (await ask('tools/list')).result ?? {};
    expect(tools?.map(({ name }) => name)).to.deep.equal([
      ...['search_icons', 'get_icon', 'list_variants', 'get_icon_url', 'list_categories', 'brand_by_domain'],
    ]);
    expect(tools?.every(({ annotations }) => 'readOnlyHint' in annotations)).to.equal(true);
    const found = await call('search_icons', { query: 'github', limit: 1 });
    expect(found.structuredContent?.results).to.have.nested.property('[0].slug', 'github');
    expect((await call('get_icon', { slug: 'github' })).content?.[0]?.text).to.match(/^<svg /);
    expect((await call('list_variants', { slug: 'github' })).structuredContent).to.include({ title: 'GitHub' });
    const [url] = (await call('get_icon_url', { slug: 'github', format: 'png', size: 32 })).content ?? [];
    expect(url?.text).to.match(/\/v1\/png\/github\?size=32$/);
    expect((await call('brand_by_domain', { domain: 'github.com' })).structuredContent).to.include({ slug: 'github' });
    expect((await call('list_categories', {})).structuredContent?.categories).to.be.an('array').that.is.not.empty;
    expect(await used()).to.deep.equal({ search: 2, svg: 1, catalog: 1, domain: 1 });
  });

  it('explains errors that a model can fix, and does not count them', async () => {
    expect(await call('get_icon', { slug: 'no-such-brand' })).to.include({ isError: true });
    expect(await call('get_icon', { slug: 'github', variant: 'nothing' })).to.include({ isError: true });
    expect(await call('search_icons', { query: '' })).to.include({ isError: true });
    const text = async (given: unknown) => (await call('search_icons', given as object)).content?.[0]?.text;
    expect(await text({ query: 'git', size: 1 })).to.equal('size: unknown argument; allowed: query, limit');
    for (const [given, problem] of [
      [{ query: '   ' }, 'query: empty'],
      [{ query: '' }, 'query: empty'],
      [{ query: 1 }, 'query: must be text'],
      [{ query: 'x'.repeat(101) }, 'query: longer than 100 characters'],
      [{ query: 'git', limit: 51 }, 'limit: must be a whole number from 1 to 50'],
      [{ query: 'git', limit: 'all' }, 'limit: must be a whole number from 1 to 50'],
      [{}, 'query: missing'],
    ] as const)
      expect(await text(given)).to.equal(problem);
    const [format] = (await call('get_icon_url', { slug: 'github', format: 'gif' })).content ?? [];
    expect(format?.text).to.equal('format: must be one of svg, png, webp');
    expect((await ask('tools/call', { name: 'rm' })).error?.code).to.equal(-32602);
    expect((await ask('resources/list')).error?.code).to.equal(-32601);
    const initialize = {
      ...{ protocolVersion: '1999-01-01', capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    expect((await ask('initialize', initialize)).result).to.include({
      protocolVersion: '2025-11-25',
    });
    expect(await used()).to.deep.equal({});
  });

  it('rejects invalid messages, ids that it could not repeat, and unknown versions', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const body of [[], [ping, ping], null, 'ping', 1] as object[]) await expectInvalid(await send(body), 'body');
    for (const id of [null, {}, '', 'ü', 'x'.repeat(201), 1.5, 2 ** 53])
      await expectInvalid(await send({ ...ping, id }), 'id');
    for (const method of ['', 'a b', 'x'.repeat(101), 1])
      await expectInvalid(await send({ ...ping, method }), 'method');
    for (const params of [[], null, 'x']) await expectInvalid(await send({ ...ping, params }), 'params');
    await expectInvalid(await send({ jsonrpc: '2.0', id: 1, result: {} }), 'method');
    // Parameters that the MCP SDK cannot parse.
    for (const params of [{ _meta: 5 }, { _meta: { progressToken: {} } }])
      expect((await ask('tools/list', params)).error?.code, JSON.stringify(params)).to.equal(-32600);
    for (const params of [{ name: 1 }, { name: 'get_icon', arguments: [] }, { name: 'get_icon', task: { ttl: 'x' } }])
      expect((await ask('tools/call', params)).error?.code, JSON.stringify(params)).to.equal(-32602);
    for (const method of ['tasks/list', 'sampling/createMessage', 'notifications/cancelled'])
      expect((await ask(method, {})).error?.code, method).to.equal(-32601);
    for (const name of ['__proto__', 'constructor', 'toString', 1, null])
      expect((await ask('tools/call', { name })).error?.code, String(name)).to.equal(-32602);
    expect(PROTOCOL_VERSIONS).to.deep.equal(SUPPORTED_PROTOCOL_VERSIONS);
    const speaking = (version: string) => send(ping, { 'X-API-Key': key, 'MCP-Protocol-Version': version });
    expect((await speaking('2025-06-18')).status).to.equal(200);
    await expectInvalid(await speaking('1999-01-01'), 'MCP-Protocol-Version');
    expect(await used()).to.deep.equal({});
  });

  it('accepts notifications, and the key in either header', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await send(note)).status).to.equal(202);
    expect((await send(note, { Authorization: `Bearer ${key}` })).status).to.equal(202);
    const both = { Authorization: `Bearer ${key}`, 'X-API-Key': key };
    await expectError(await send(note, both), 400, 'invalid_request');
    await expectError(await send(note, {}), 401, 'invalid_api_key');
    await expectInvalid(await send({ method: 'ping' }), 'jsonrpc');
    await expectError(await fetch(`${server.base}/mcp`, { headers: { 'X-API-Key': key } }), 405, 'method_not_allowed');
  });
});
