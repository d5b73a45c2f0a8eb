// Uploads of clients that stop sending. They must not block upload slots or memory for other clients.
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { eventually } from '../../support/auth.js';
import { suiteServer, type Customer } from '../../support/server.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8H0z"/></svg>';
const ZIP = zipSync({ 'a.svg': strToU8(SVG) });
const MEBIBYTE = 2 ** 20;

describe('stalled uploads', () => {
  const server = suiteServer();
  interface Stalled {
    readonly socket: Socket;
    answer: string;
  }
  let sockets: Stalled[] = [];
  afterEach(() => {
    for (const { socket } of sockets) socket.destroy();
    sockets = [];
  });

  const customers = (count: number): Promise<Customer[]> =>
    Promise.all(Array.from({ length: count }, () => server.customer('pro')));
  const archive = { path: '/v1/brands', type: 'application/zip', body: ZIP, length: 31 * MEBIBYTE };
  const drawing = { path: '/v1/brands/a/variants/default', type: 'image/svg+xml', body: SVG, length: MEBIBYTE };
  type Kind = typeof archive | typeof drawing;

  /** Sends the headers of an upload and the first `bytes` bytes of its body, and then nothing. */
  function stall({ apiKey }: Customer, { path, type, length }: Kind, bytes: number): Stalled {
    const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
    const stalled = { socket, answer: '' };
    sockets.push(stalled);
    socket.on('error', () => undefined).on('data', (chunk) => (stalled.answer += chunk.toString('latin1')));
    socket.write(
      `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes));
    return stalled;
  }

  async function upload({ apiKey }: Customer, { path, type, body }: Kind): Promise<number> {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': type };
    const answer = await fetch(server.base + path, { method: 'PUT', headers, body });
    const text = await answer.text();
    if (answer.status === 503) expect(text).to.include('"busy"');
    return answer.status;
  }

  /** Stalls one upload more than the limit of an account (`ofOne`). Waits until one of the uploads is rejected. */
  async function stallAll(customer: Customer, kind: Kind, ofOne: number): Promise<void> {
    const stalled = Array.from({ length: ofOne + 1 }, () => stall(customer, kind, 978));
    const { answer } = await eventually(() => stalled.find((one) => one.answer.endsWith('}')), 'rejection');
    expect(answer).to.match(/^HTTP\/1\.1 503 /);
    expect(answer).to.include(`"This account may run ${ofOne} uploads at once."`);
    expect(stalled.filter((one) => one.answer === '')).to.have.length(ofOne);
  }

  const brandOf = async ({ apiKey }: Customer): Promise<void> => {
    const { status } = await fetch(`${server.base}/v1/brands/a`, {
      method: 'PUT',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: '{"title":"A"}',
    });
    expect(status).to.equal(201);
  };

  for (const [name, kind, ofOne] of [
    ['archives', archive, 2],
    ['drawings', drawing, 20],
  ] as const)
    it(`of ${name} leave room for uploads of other accounts, and have their own limit`, async () => {
      const [other, ...stalling] = await customers(7);
      if (!other) throw new Error('there is no customer');
      await brandOf(other);
      for (const customer of stalling) await stallAll(customer, kind, ofOne);
      expect(await upload(other, kind)).to.be.oneOf([200, 201]);
    });

  it('of archives are aborted when others need the memory', async () => {
    const [other, ...stalling] = await customers(4);
    if (!other) throw new Error('there is no customer');
    for (const customer of stalling) for (let at = 0; at < 2; at++) stall(customer, archive, 30 * MEBIBYTE);
    const ended = await eventually(() => sockets.find(({ answer }) => answer.endsWith('}')), 'answer');
    expect(ended.answer).to.match(/^HTTP\/1\.1 503 .*\r\nRetry-After: \d+\r\n.*"busy".*slowest/s);
    expect(await upload(other, archive)).to.equal(200);
  });
});
