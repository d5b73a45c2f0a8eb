// Archives of own brands: what is unpacked, and how much; names and sidecars.
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import {
  archivedBrands,
  unpacked,
  type ArchivedFile,
  type FileResult,
} from '../../../../src/services/own-brands/archive.js';
import { rejection } from '../../../support/account-services.js';

const MEBIBYTE = 2 ** 20;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const LOCAL = { signature: 0x04034b50, size: 22, nameLength: 26, name: 30 };
const CENTRAL = { signature: 0x02014b50, size: 24, nameLength: 28, name: 46 };

/** Every header of the archive, changed. */
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

/** Of the files that are not taken: message by name. */
const messagesOf = (results: readonly (ArchivedFile | FileResult)[]) =>
  results.flatMap((one) => ('status' in one ? [[one.file, one.slug, one.message]] : []));

describe('archives of own brands', () => {
  it('are unpacked no further than to the sizes that they state', async () => {
    const bomb = stating(10, new Uint8Array(32 * MEBIBYTE));
    expect(bomb.length).to.be.below(MEBIBYTE);
    const results = await unpacked(bomb);
    expect(messagesOf(results)).to.have.length(1);
    expect(messagesOf(results)[0]?.[2]).to.match(/^it cannot be unpacked: too many bytes/);
    expect(results.find((one) => 'path' in one && one.path === 'b.svg')).to.deep.include({ bytes: Buffer.from(SVG) });
    expect(messagesOf(await unpacked(stating(1000, strToU8(SVG))))[0]?.[2]).to.match(
      /^it cannot be unpacked: not enough/,
    );
  });

  it('have no file twice, none outside of them, and no more than a bound', async () => {
    const twice = changed(zipSync({ 'a.svg': strToU8(SVG), 'b.svg': strToU8(SVG) }), (header, { name: at }, name) => {
      if (name === 'b.svg') header.write('a.svg', at);
    });
    expect(messagesOf(await unpacked(twice))).to.deep.equal([
      ['a.svg', null, 'a file of this name is in the archive before it'],
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

  it('make brands of names that are slugs, with marks taken off', () => {
    const icons = { '': { variants: { default: 'a.svg' } }, ['x'.repeat(150)]: { variants: { default: 'a.svg' } } };
    const { brands, problems } = archivedBrands(
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

  it('have a bound on the brands and drawings that sidecars state', () => {
    const variants = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, 'a.svg']));
    const crowded = archivedBrands(filesOf({ 'a.svg': SVG, 'a.json': JSON.stringify({ variants: variants(33) }) }));
    expect(messagesOf(crowded.problems)).to.deep.equal([['a.json', 'a', 'variants: more than 32']]);
    const brands = (count: number, facts: object) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`b${at}`, facts])));
    const many = archivedBrands(filesOf({ 'a.svg': SVG, 'icons.json': brands(1001, {}) }));
    expect(messagesOf(many.problems)).to.deep.equal([
      ['icons.json', null, 'the archive has facts of more than 1000 brands'],
    ]);
    const repeated = archivedBrands(filesOf({ 'a.svg': SVG, 'icons.json': brands(100, { variants: variants(32) }) }));
    expect(repeated.brands.reduce((sum, { drawings }) => sum + drawings.size, 0)).to.equal(2000);
    expect(repeated.problems).to.have.length(1 + 100 * 32 - 2000);
    const large = { 'a.svg': 'x'.repeat(MEBIBYTE), 'icons.json': brands(10, { variants: variants(32) }) };
    expect(archivedBrands(filesOf(large)).brands.reduce((sum, { drawings }) => sum + drawings.size, 0)).to.equal(128);
  });
});
