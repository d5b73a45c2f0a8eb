// PUT /v1/brands with malicious, damaged or too large archives.
import { expect } from 'chai';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { suiteServer, type Customer } from '../support/server.js';
import { expectError } from '../support/expect-error.js';

const SVG = strToU8(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#f00" d="M0 0h8v8H0z"/></svg>',
);
/** Length of long input, in characters. An algorithm with quadratic time would exceed the test's time limit. */
const MANY = 1_000_000;
/** Number of combining marks. Their UTF-8 form fits into the maximum size of `icons.json`, 1 MiB. */
const MANY_MARKS = 480_000;

interface Archived {
  readonly results: readonly { file: string; slug: string | null; status: number; message?: string }[];
}

describe('archives of own brands, over HTTP', () => {
  const server = suiteServer();
  let customer: Customer;
  beforeEach(async () => {
    customer = await server.customer('pro');
  });

  const put = (files: Zippable | Uint8Array<ArrayBuffer>, { apiKey } = customer) =>
    fetch(`${server.base}/v1/brands`, {
      method: 'PUT',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/zip' },
      body: files instanceof Uint8Array ? files : zipSync(files),
    });
  async function resultsOf(files: Zippable | Uint8Array<ArrayBuffer>): Promise<Archived['results']> {
    const answer = await put(files);
    const text = await answer.text();
    expect(answer.status, text).to.equal(200);
    expect(text).to.have.length.below(4000);
    return (JSON.parse(text) as Archived).results;
  }
  const facts = (value: object) => strToU8(JSON.stringify(value));

  it('read names of any length in linear time', async () => {
    const marks = '\u0315'.repeat(MANY_MARKS / 2) + '\u0300'.repeat(MANY_MARKS / 2);
    for (const key of [`a${'-'.repeat(MANY)}b`, `a${marks}`])
      expect(await resultsOf({ 'icons.json': facts({ [key]: { title: 'A' } }) })).to.deep.equal([
        {
          ...{ file: 'icons.json', slug: null, status: 422 },
          message: 'the file name cannot be turned into a slug: 1 to 100 of a-z, 0-9, dots, dashes and underscores',
        },
      ]);
    const variants = { [`a${'-'.repeat(MANY)}b`]: 'a.svg' };
    expect((await resultsOf({ 'a.json': facts({ variants }) }))[0]?.message).to.include('not a variant name');
  });

  it('have responses of bounded length for any paths and JSON files', async () => {
    const many = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`v${at}`, 'a.svg']));
    const deep = 'd/'.repeat(32_000);
    const results = await resultsOf({
      [`${deep}a.json`]: facts({ variants: many }),
      'b.json': facts({ variants: many }),
    });
    expect(results.map(({ slug, status, message }) => [slug, status, message])).to.deep.equal([
      [null, 422, 'the path is longer than 255 characters'],
      ['b', 422, 'variants: more than 32'],
    ]);
    const brands = (count: number, one: object) =>
      facts(Object.fromEntries(Array.from({ length: count }, (_, at) => [`b${at}`, one])));
    const few = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`v${at}`, 'a.svg']));
    for (const [icons, words] of [
      [brands(1001, {}), 'more than 1000 brands'],
      [brands(100, { variants: few }), 'more than 2000 drawings'],
    ] as const) {
      const { message } = await expectError(await put({ 'a.svg': SVG, 'icons.json': icons }), 413, 'payload_too_large');
      expect(message).to.include(words);
    }
  });

  it('are rejected before any drawing is sanitized if the plan has no room for their brands', async () => {
    const free = await server.customer('free');
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`b${at}.svg`, strToU8('<svg')]));
    const { message } = await expectError(await put(files, free), 403, 'brand_limit');
    expect(message).to.equal(
      'This plan allows 5 own brands. The account has 0, and this request would add 6. Delete own brands, or upgrade the plan.',
    );
    expect((await put(files)).status).to.equal(200);
  });

  it('are accepted except for files with a wrong CRC-32', async () => {
    const zip = zipSync({ 'a.svg': SVG, 'b.svg': SVG }, { level: 0 });
    const damaged = Buffer.from(zip);
    // Damages the first drawing: changes a digit of its color.
    damaged[damaged.indexOf('#f00') + 1] = '0'.charCodeAt(0);
    const results = await resultsOf(new Uint8Array(damaged));
    expect(results).to.have.deep.members([
      { file: 'b.svg', slug: 'b', status: 201 },
      {
        ...{ file: 'a.svg', slug: null, status: 422 },
        message: 'the file is damaged: its content does not match the CRC-32 that the archive states',
      },
    ]);
  });

  it('have variants with names that are read in linear time, like single drawings', async () => {
    for (const name of [`a-${'-'.repeat(15_500)}-b`, 'a-', '-a', 'x'.repeat(65), encodeURIComponent('ü')]) {
      const answer = await fetch(`${server.base}/v1/brands/x/variants/${name}`, {
        method: 'DELETE',
        headers: { 'X-API-Key': customer.apiKey },
      });
      await expectError(answer, 400, 'invalid_request');
    }
  });
});
