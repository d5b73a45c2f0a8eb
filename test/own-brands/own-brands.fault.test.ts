// Own brands in a service that is killed during changes. Malicious uploads of one account must not block uploads of
// another account.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { ABORTING } from '../workers/hostile/drawings.js';
import { registerAt, serviceFolder, startService, type ServiceProcess } from '../support/service-process.js';

const LONG = process.env.BLAZON_LONG_TESTS === '1';
const KILLS = LONG ? 100 : 5;
/** Maximum time from the last awaited change to the kill, ms. */
const LAST_CHANGE_MS = 25;
/** Number of changes of one account, below its limit of sixty per minute. */
const CHANGES_OF_ACCOUNT = 50;
const FLOOD = 10;

const svgOf = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${color}" d="M0 0h8v8z"/></svg>`;
/** Creates a drawing of nearly the maximum length. Sanitizing it takes some seconds. */
const slowSvg = (seed: number) => {
  const curves = Array.from({ length: 24_000 }, (_, at) => `C${(at * seed) % 8} ${at % 7} ${at % 5} 3 ${at % 8} 4`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0${curves.join('')}z"/></svg>`;
};
const colorOf = (round: number) => `#${(0x100000 + round).toString(16)}`;

async function makeBrand({ base }: ServiceProcess, email: string): Promise<string> {
  const { apiKey } = await registerAt(base, email);
  const answer = await fetch(`${base}/v1/brands/acme`, {
    method: 'PUT',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Acme' }),
  });
  expect(answer.status).to.equal(201);
  return apiKey;
}

function draw({ base }: ServiceProcess, apiKey: string, svg: string, signal?: AbortSignal): Promise<number> {
  return fetch(`${base}/v1/brands/acme/variants/default`, {
    method: 'PUT',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'image/svg+xml' },
    body: svg,
    ...(signal && { signal }),
  }).then(({ status }) => status);
}

async function colorAt({ base }: ServiceProcess, apiKey: string): Promise<string | undefined> {
  const answer = await fetch(`${base}/v1/svg/acme`, { headers: { 'X-API-Key': apiKey } });
  expect(answer.status).to.equal(200);
  return /#[0-9a-f]{6}/.exec(await answer.text())?.[0];
}

describe('own brands', () => {
  const folder = serviceFolder();
  const start = () => startService({ DATA_DIR: folder() });

  it('are in the acknowledged state or include the change in progress, after `kill -9` at any moment', async () => {
    let service = await start();
    let apiKey = await makeBrand(service, 'account0@example.com');
    expect(await draw(service, apiKey, svgOf(colorOf(0)))).to.equal(201);
    let [acknowledged, changes] = [colorOf(0), 2];
    for (let kill = 1, round = 1; kill <= KILLS; kill++) {
      let underWay = acknowledged;
      const dying = sleep(Math.random() * LAST_CHANGE_MS).then(() => service.kill());
      for (let isAlive = true; isAlive; round++, changes++) {
        underWay = colorOf(round);
        const status = await draw(service, apiKey, svgOf(underWay)).catch(() => undefined);
        if (status === undefined) isAlive = false;
        else {
          expect(status).to.equal(200);
          acknowledged = underWay;
        }
      }
      await dying;
      service = await start();
      const found = await colorAt(service, apiKey);
      expect(found, `kill ${kill}`).to.be.oneOf([acknowledged, underWay]);
      acknowledged = found ?? '';
      if (changes < CHANGES_OF_ACCOUNT - 10) continue;
      [apiKey, changes] = [await makeBrand(service, `account${kill}@example.com`), 2];
      acknowledged = colorOf(round);
      expect(await draw(service, apiKey, svgOf(acknowledged))).to.equal(201);
    }
    // Interrupted changes may have stored texts. These texts must not affect the next change.
    expect(await draw(service, apiKey, svgOf('#abcdef'))).to.equal(200);
    expect(await colorAt(service, apiKey)).to.equal('#abcdef');
  });

  it('omit the rest of an archive if several of its drawings crash the sanitizer', async () => {
    const service = await start();
    const apiKey = await makeBrand(service, 'c@example.com');
    expect(await draw(service, apiKey, svgOf('#00aa00'))).to.equal(201);
    const [hostile] = ABORTING;
    const names = Array.from({ length: 20 }, (_, at) => `acme--v${String(at).padStart(2, '0')}.svg`);
    const files = names.map((name, at) => [name, strToU8(at < 5 ? hostile!.svg() : svgOf('#00aa00'))] as const);
    const answer = await fetch(`${service.base}/v1/brands`, {
      method: 'PUT',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/zip' },
      body: zipSync(Object.fromEntries(files)),
    });
    const { results } = (await answer.json()) as {
      results: { file: string; status: number; message?: string; details?: { code?: string }[] }[];
    };
    const of = (file: string) => results.find((one) => one.file === file);
    expect(names.slice(0, 5).map((name) => of(name)?.details?.[0]?.code)).to.deep.equal(Array(5).fill('crashed'));
    expect(names.slice(5, 10).map((name) => of(name)?.status)).to.deep.equal(Array(5).fill(201));
    expect(names.slice(10).map((name) => of(name)?.message)).to.satisfy((all: string[]) =>
      all.every((message) => message.includes('not processed')),
    );
  });

  it('of one account are drawn while another floods with the costliest drawings', async () => {
    const service = await start();
    const [hostile, other] = [await makeBrand(service, 'a@example.com'), await makeBrand(service, 'b@example.com')];
    const leaving = new AbortController();
    let ended = 0;
    const flood = Array.from({ length: FLOOD }, async (_, at) => {
      await draw(service, hostile, slowSvg(at), leaving.signal).catch(() => undefined);
      ended += 1;
    });
    await sleep(200);
    const before = ended;
    expect(await draw(service, other, svgOf('#00aa00'))).to.equal(201);
    // Most drawings of the flood are not done yet, because the drawing of the other account did not wait for them.
    expect(ended - before).to.be.below(FLOOD / 2);
    leaving.abort();
    await Promise.all(flood);
  });
});
