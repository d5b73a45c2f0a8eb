// Archives of own brands: files, unpacked sizes, names, and JSON files.
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import {
  createUnpackingMemory,
  MAX_MESSAGE_CHARACTERS,
  unpacked,
  type ArchivedFile,
  type FileResult,
} from '../../src/own-brands/archive.js';
import { AppError } from '../../src/platform/errors.js';
import { archivedBrands } from '../../src/own-brands/archived-brands.js';
import { rejection } from '../support/account-services.js';

const MEBIBYTE = 2 ** 20;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const LOCAL = { signature: 0x04034b50, size: 22, nameLength: 26, name: 30 };
const CENTRAL = { signature: 0x02014b50, size: 24, nameLength: 28, name: 46 };

/** Applies a change to every local and central file header of the archive. */
function changed(zip: Uint8Array, change: (header: Buffer, fields: typeof LOCAL, name: string) => void): Buffer {
  const bytes = Buffer.from(zip);
  for (let at = 0; at + 4 <= bytes.length; at++)
    for (const fields of [LOCAL, CENTRAL]) {
      if (bytes.readUInt32LE(at) !== fields.signature) continue;
      const header = bytes.subarray(at);
      const name = header.toString('utf8', fields.name, fields.name + header.readUInt16LE(fields.nameLength));
      change(header, fields, name);
    }
  return bytes;
}

const stating = (size: number, content: Uint8Array, level: 0 | 9 = 9) =>
  changed(zipSync({ 'a.svg': content, 'b.svg': strToU8(SVG) }, { level }), (header, fields, name) => {
    if (name === 'a.svg') header.writeUInt32LE(size, fields.size);
  });

const filesOf = (files: Readonly<Record<string, string>>): ArchivedFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

const messagesOf = (results: readonly (ArchivedFile | FileResult)[]) =>
  results.flatMap((one) => ('status' in one ? [[one.file, one.slug, one.message]] : []));

describe('archives of own brands', () => {
  it('are unpacked only up to the sizes that they state', async () => {
    const bomb = stating(10, new Uint8Array(32 * MEBIBYTE));
    expect(bomb.length).to.be.below(MEBIBYTE);
    const results = await unpacked(bomb);
    expect(messagesOf(results)).to.have.length(1);
    expect(messagesOf(results)[0]?.[2]).to.match(/^the file cannot be unpacked: too many bytes/);
    expect(results.find((one) => 'path' in one && one.path === 'b.svg')).to.deep.include({ bytes: Buffer.from(SVG) });
    expect(messagesOf(await unpacked(stating(1000, strToU8(SVG))))[0]?.[2]).to.match(
      /^the file cannot be unpacked: not enough/,
    );
  });

  it('state their size before the first file is unpacked', async () => {
    const sizes: number[] = [];
    const archive = stating(MEBIBYTE / 2, new Uint8Array(MEBIBYTE / 2));
    await unpacked(archive, (bytes) => sizes.push(bytes));
    expect(sizes).to.deep.equal([MEBIBYTE / 2 + SVG.length]);
    const full = new AppError('busy');
    const failure = await unpacked(archive, () => {
      throw full;
    }).catch((error: unknown) => error);
    expect(failure).to.equal(full);
  });

  it('are rejected while others use the memory that they need', () => {
    const memory = createUnpackingMemory(100);
    const [giveBack] = [memory.take(60), memory.take(40)];
    expect(() => memory.take(1))
      .to.throw(AppError)
      .with.property('code', 'busy');
    giveBack();
    expect(() => memory.take(61)).to.throw(AppError);
    memory.take(60)();
    memory.take(60)();
  });

  it('contain no file twice, none outside of them, and a limited number', async () => {
    const twice = changed(zipSync({ 'a.svg': strToU8(SVG), 'b.svg': strToU8(SVG) }), (header, { name: at }, name) => {
      if (name === 'b.svg') header.write('a.svg', at);
    });
    expect(messagesOf(await unpacked(twice))).to.deep.equal([
      ['a.svg', null, 'the archive contains another file with this name'],
    ]);
    const outside = zipSync({ '../a.svg': strToU8(SVG) });
    expect(await rejection(unpacked(Buffer.from(outside)))).to.equal('invalid_request');
    const many = (name: string, count: number) =>
      Buffer.from(
        zipSync(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, new Uint8Array()]))),
      );
    expect(await rejection(unpacked(many('f', 1001)))).to.equal('payload_too_large');
    expect(await rejection(unpacked(many('__MACOSX/', 4001)))).to.equal('payload_too_large');
    expect(await unpacked(many('__MACOSX/', 2000))).to.deep.equal([]);
  });

  it('make brands with slugs as names, without accents', async () => {
    const icons = { '': { variants: { default: 'a.svg' } }, ['x'.repeat(150)]: { variants: { default: 'a.svg' } } };
    const { brands, problems } = await archivedBrands(
      filesOf({
        'a.svg': SVG,
        'Über.svg': SVG,
        'icons.json': JSON.stringify(icons),
        [`${'y'.repeat(101)}.json`]: '{}',
      }),
    );
    expect(brands.map(({ slug }) => slug)).to.have.members(['a', 'uber']);
    expect(problems.map(({ slug, status }) => [slug, status])).to.deep.equal(Array(3).fill([null, 422]));
    expect(problems[0]?.message).to.include('1 to 100 of a-z');
  });

  it('reject damaged files and long paths, one by one', async () => {
    const zip = zipSync({ 'a.svg': strToU8(SVG), 'b.svg': strToU8(SVG), ['d/'.repeat(126) + 'c.svg']: strToU8(SVG) });
    const crc = { [LOCAL.signature]: 14, [CENTRAL.signature]: 16 };
    const damaged = changed(zip, (header, { signature }, name) => {
      const at = crc[signature] ?? 0;
      if (name === 'a.svg') header.writeUInt32LE((header.readUInt32LE(at) ^ 1) >>> 0, at);
    });
    expect(messagesOf(await unpacked(damaged))).to.deep.equal([
      ['a.svg', null, 'the file is damaged: its content does not match the CRC-32 that the archive states'],
      [`${'d/'.repeat(126)}c.s…`, null, 'the path is longer than 255 characters'],
    ]);
    expect(
      messagesOf(await unpacked(Buffer.from(zipSync({ [`${'d'.repeat(251)}.svg`]: strToU8(SVG) })))),
    ).to.deep.equal([]);
  });

  it('limit the brands and drawings in JSON files', async () => {
    const variants = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, 'a.svg']));
    const crowded = await archivedBrands(
      filesOf({ 'a.svg': SVG, 'a.json': JSON.stringify({ variants: variants(33) }) }),
    );
    expect(messagesOf(crowded.problems)).to.deep.equal([['a.json', 'a', 'variants: more than 32']]);
    const brands = (count: number, facts: object) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`b${at}`, facts])));
    const rejects = async (files: Readonly<Record<string, string>>) =>
      expect(await rejection(archivedBrands(filesOf({ 'a.svg': SVG, ...files })))).to.equal('payload_too_large');
    await rejects({ 'icons.json': brands(1001, {}) });
    await rejects({ 'd/icons.json': brands(500, {}), 'icons.json': brands(501, {}) });
    await rejects({ 'icons.json': brands(100, { variants: variants(20) }) });
    const drawn = async (files: Readonly<Record<string, string>>) =>
      (await archivedBrands(filesOf(files))).brands.reduce((sum, { drawings }) => sum + drawings.size, 0);
    expect(await drawn({ 'a.json': '{}', 'icons.json': brands(100, { variants: variants(20) }) })).to.equal(0);
    expect(await drawn({ 'a.svg': SVG, 'icons.json': brands(99, { variants: variants(20) }) })).to.equal(1981);
    const large = (count: number) => ({
      ...{ 'a.svg': 'x'.repeat(MEBIBYTE), 'icons.json': brands(count, { variants: variants(1) }) },
    });
    expect(await drawn(large(127))).to.equal(128);
    await rejects(large(128));
  });

  it('make results of bounded length for any JSON files', async () => {
    const long = 'x'.repeat(MEBIBYTE / 2);
    const { problems } = await archivedBrands(
      filesOf({
        'a.svg': SVG,
        'a.json': JSON.stringify({ variants: { default: `${long}.svg` } }),
        'b.json': JSON.stringify({ [long]: 1 }),
        'c.json': JSON.stringify({ variants: { default: `${'y'.repeat(251)}.svg` } }),
        'icons.json': JSON.stringify({ [long]: {}, d: { domains: [long] } }),
      }),
    );
    expect(problems).to.have.length(6);
    for (const { file, message = '' } of problems) {
      expect(file).to.have.length.below(257);
      expect(message).to.have.length.within(1, MAX_MESSAGE_CHARACTERS + 1);
    }
    const twice = await archivedBrands(filesOf({ 'a.svg': SVG, 'a.json': '{}', 'icons.json': '{"a":{}}' }));
    expect(messagesOf(twice.problems)).to.deep.equal([
      ['icons.json', 'a', 'a.json already contains the metadata of this brand'],
    ]);
  });

  it('count the items of a list before they look at them', async () => {
    const domains = Array.from({ length: 51 }, () => 'not a host');
    const { problems } = await archivedBrands(filesOf({ 'a.svg': SVG, 'a.json': JSON.stringify({ domains }) }));
    expect(messagesOf(problems)).to.deep.equal([['a.json', 'a', 'domains: more than 50']]);
  });
});
