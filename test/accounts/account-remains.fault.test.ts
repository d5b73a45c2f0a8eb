// Data that remains on disk after the deletion of an account, and the write-ahead log after a normal stop.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { PASSWORD } from '../support/accounts.js';
import { serviceFolder, startService } from '../support/service-process.js';

const EMAIL = 'vanishing@example.com';
const TITLE = 'Vanishing Limited';
const COLOR = '#a1b2c3';
const DOMAIN = 'vanishing.internal';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${COLOR}" d="M0 0h8v8z"/><path fill="#fff" d="M2 2h4v4z"/></svg>`;

describe('traces on the disk', () => {
  const folder = serviceFolder();

  it('of a deleted account are its deletion mail only, and none remain in the log after a clean stop', async () => {
    const service = await startService({ DATA_DIR: folder() });
    const call = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
      const answer = await fetch(`${service.base}${path}`, { method, headers, ...(body && { body }) });
      const bytes = await answer.arrayBuffer();
      expect(answer.status, path).to.be.within(200, 204);
      return Buffer.from(bytes).toString();
    };
    const json = { 'Content-Type': 'application/json' };
    const credentials = JSON.stringify({ email: EMAIL, password: PASSWORD });
    const registered = await call('POST', '/auth/register', json, credentials);
    const { apiKey, accessToken } = JSON.parse(registered) as Record<'apiKey' | 'accessToken', string>;
    const key = { 'X-API-Key': apiKey };
    await call('PUT', '/v1/brands/vanishing', { ...key, ...json }, JSON.stringify({ title: TITLE, domains: [DOMAIN] }));
    await call('PUT', '/v1/brands/vanishing/variants/default', { ...key, 'Content-Type': 'image/svg+xml' }, SVG);
    for (const path of [
      '/v1/png/vanishing',
      '/v1/logo/vanishing.internal',
      '/v1/strip?icons=vanishing,github&format=png',
      '/v1/favicon/vanishing/favicon.ico',
      '/v1/png/github',
    ])
      await call('GET', path, key);
    const pictures = join(folder(), 'pictures');
    const stored = () => (existsSync(pictures) ? readdirSync(pictures) : []);
    await eventually(() => stored().length > 0, 'public picture on the disk');
    await eventually(() => filesWith(EMAIL).some((name) => name.startsWith('outbox')), 'mail');
    for (const text of [TITLE, COLOR, DOMAIN]) expect(filesWith(text), text).not.to.be.empty;

    const bearer = { ...json, Authorization: `Bearer ${accessToken}` };
    await call('DELETE', '/auth/account', bearer, JSON.stringify({ currentPassword: PASSWORD }));
    const mail = await eventually(() => filesWith(EMAIL).find((name) => name.startsWith('outbox')), 'deletion mail');
    expect(readFileSync(join(folder(), mail), 'utf8')).to.include('Your account was deleted');
    expect(filesWith(EMAIL)).to.deep.equal([mail]);
    for (const text of [TITLE, COLOR, DOMAIN]) expect(filesWith(text), text).to.deep.equal([]);
    // The disk cache contains only the picture of the public brand. Pictures of own brands are never stored on disk.
    expect(stored()).to.have.length(1);

    service.child.kill('SIGTERM');
    expect(await service.exit).to.equal(0);
    const log = statSync(join(folder(), 'blazon.sqlite-wal'), { throwIfNoEntry: false });
    expect(log?.size ?? 0).to.equal(0);
  });

  /** Returns the paths of files that contain the text. Also searches unused pages of the database file. */
  function filesWith(text: string): string[] {
    return readdirSync(folder(), { recursive: true })
      .map(String)
      .filter((name) => contentOf(join(folder(), name)).includes(text));
  }

  /**
   * Returns the content of a file. The buffer is empty for a folder, and for a file that the service has renamed or
   * deleted.
   */
  function contentOf(path: string): Buffer {
    try {
      return statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }
});
