// Picture parameters: limits of each parameter, rules for combinations of parameters, and arbitrary input.
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { AppError } from '../../src/platform/errors.js';
import {
  domainQuerySchema,
  PICTURE_FORMATS,
  PICTURE_QUERIES,
  pictureRequest,
  type PictureFormat,
} from '../../src/pictures/picture-request.js';
import { parse } from '../../src/platform/http/request/validation.js';
import { thrownBy } from '../support/thrown.js';

type Query = Readonly<Record<string, string>>;

function ask(format: PictureFormat, query: Query) {
  return pictureRequest(format, parse(PICTURE_QUERIES[format], query, 'parameter'));
}

/** Returns the details of the rejection: each invalid field with its allowed values. Empty if the query is accepted. */
function rejection(format: PictureFormat, query: Query): readonly { field: string; allowed?: unknown }[] {
  try {
    ask(format, query);
  } catch (error) {
    if (error instanceof AppError && error.status === 400 && error.details) return error.details;
    throw error;
  }
  return [];
}

const TABLE: readonly [string, readonly string[], readonly string[]][] = [
  ['variant', ['default', 'mono', 'dark-2'], ['', 'Mono', '../x', 'a b', 'x'.repeat(65)]],
  ['on', ['light', 'dark'], ['', 'Light', 'blue']],
  [
    'color',
    ['#f00', '#1D9BF080', 'f00', 'F00A', '1d9bf0', '1D9BF080', 'rebeccapurple', 'Red', 'brand'],
    ['', '##f00', '#red', 'f', 'ff', '12345', '1234567', 'transparent', 'currentcolor', 'Brand', 'url(x)'],
  ],
  [
    'size',
    ['8', '256', '2048'],
    ['', '7', '2049', '007', '1e2', '+5', ' 16', '16 ', '16.0', '-16', '0x10', 'NaN', '٣٢', '99999999999999999999'],
  ],
  ['greyscale', ['0', '1'], ['', '2', '01', 'true', 'yes']],
  ['width', ['8', '2048'], ['', '7', '2049', '064']],
  ['height', ['8', '2048'], ['', '7', '2049', '6e1']],
  ['scale', ['1', '2', '4'], ['', '0', '5', '1.5', '2x']],
  ['trim', ['1'], ['', '0', 'true']],
  ['padding', ['0', '40'], ['', '-1', '41', '00', '5%']],
  ['background', ['#fff', 'transparent', 'fff', 'ffd70040', 'white'], ['', 'brand', '#', 'none']],
  ['radius', ['0', '50'], ['', '51', '-0']],
  ['rotate', ['90', '180', '270'], ['', '0', '45', '360', '-90', '090']],
  ['flip', ['h', 'v', 'hv'], ['', 'vh', 'H', 'both']],
  ['fallback', ['404', 'monogram', 'transparent'], ['', '200', 'Monogram']],
  ['download', ['1'], ['', '0', 'true', 'logo.svg']],
  ['v', ['0123456789ab', 'x'], ['', 'a b', '../', 'x'.repeat(65)]],
];

describe('picture grammar', () => {
  for (const [name, taken, rejected] of TABLE) {
    it(`${name}: accepts ${taken.join(' ')} in every format, rejects others by name`, () => {
      for (const format of PICTURE_FORMATS) {
        for (const value of taken) expect(rejection(format, { [name]: value }), value).to.deep.equal([]);
        for (const value of rejected) {
          const [detail] = rejection(format, { [name]: value });
          expect(detail?.field, value).to.equal(name);
          expect(detail?.allowed, value).to.not.be.empty;
        }
      }
    });
  }

  it('has this table for every parameter', () => {
    expect(TABLE.map(([name]) => name)).to.have.members(Object.keys(PICTURE_QUERIES.png.shape));
  });

  it('accepts quality for WebP only', () => {
    expect(ask('webp', { quality: '1' }).quality).to.equal(1);
    expect(rejection('webp', { quality: '0' })).to.have.length(1);
    expect(rejection('webp', { quality: '101' })).to.have.length(1);
    for (const format of ['svg', 'png'] as const)
      expect(rejection(format, { quality: '80' })[0]?.field).to.equal('quality');
  });

  it('names an unknown parameter and lists the known ones', () => {
    const [detail] = rejection('svg', { colour: 'red' });
    expect(detail?.field).to.equal('colour');
    expect(detail?.allowed).to.include('color');
  });

  it('accepts currentColor for SVG only', () => {
    expect(rejection('svg', { color: 'currentColor' })).to.deep.equal([]);
    for (const format of ['png', 'webp'] as const)
      expect(rejection(format, { color: 'currentColor' })[0]?.field).to.equal('color');
  });

  it('accepts on together with variant', () => {
    expect(rejection('png', { on: 'dark', variant: 'mono' })).to.deep.equal([]);
  });

  it('rejects contradictory parameters', () => {
    expect(rejection('png', { size: '64', width: '64' })[0]?.field).to.equal('size');
    expect(rejection('png', { size: '64', height: '64' })[0]?.field).to.equal('size');
    expect(rejection('png', { width: '64', height: '32' })).to.deep.equal([]);
  });

  it('bounds the result at 4096 pixels a side, exactly', () => {
    expect(rejection('png', { size: '1024', scale: '4' })).to.deep.equal([]);
    expect(rejection('png', { size: '1025', scale: '4' })[0]?.field).to.equal('scale');
    expect(rejection('svg', { width: '8', height: '2048', scale: '3' })[0]?.field).to.equal('scale');
  });

  it('parses equivalent queries to the same request', () => {
    const same: readonly (readonly [Query, Query])[] = [
      [{}, { size: '256' }],
      [{ size: '64' }, { width: '64', height: '64' }],
      [{ color: 'F00' }, { color: 'red' }],
      [{ color: 'f00f' }, { color: 'ff0000' }],
      [{ background: 'transparent' }, {}],
      [{ background: 'fff0' }, {}],
      [{ flip: 'hv' }, { rotate: '180' }],
      [{ flip: 'v' }, { flip: 'h', rotate: '180' }],
      [{ flip: 'hv', rotate: '180' }, {}],
      [{ padding: '0', radius: '0', scale: '1', greyscale: '0', variant: 'default', fallback: '404' }, {}],
    ];
    for (const [one, other] of same) expect(ask('png', one), JSON.stringify(one)).to.deep.equal(ask('png', other));
  });

  it('tries the fallbacks of a domain in their order', () => {
    const fallbacks: Readonly<Record<string, object>> = {
      site: { site: true, picture: '404' },
      'site,monogram': { site: true, picture: 'monogram' },
      'site,transparent,monogram': { site: true, picture: 'transparent' },
      'monogram,site': { site: false, picture: 'monogram' },
      '404,site': { site: false, picture: '404' },
      'monogram,transparent': { site: false, picture: 'monogram' },
    };
    for (const [fallback, read] of Object.entries(fallbacks))
      expect(parse(domainQuerySchema, { fallback }, 'parameter').fallback, fallback).to.deep.equal(read);
  });

  it('has the rules of the formats and sizes for a domain, too, and bounds the list of fallbacks', () => {
    const wrong = (query: Query) =>
      thrownBy(() => parse(domainQuerySchema, query, 'parameter')).details?.map(({ field }) => field);
    for (const format of ['png', 'webp', 'jpg'])
      expect(wrong({ format, color: 'currentColor' }), format).to.deep.equal(['color']);
    expect(wrong({ color: 'currentColor' }), 'PNG by default').to.deep.equal(['color']);
    for (const format of ['svg', 'png', 'jpg']) expect(wrong({ format, quality: '80' })).to.deep.equal(['quality']);
    expect(wrong({ size: '1025', scale: '4' })).to.deep.equal(['scale']);
    expect(wrong({ size: '64', width: '64' })).to.deep.equal(['size']);
    expect(wrong({ wait: '6' })).to.deep.equal(['wait']);
    expect(wrong({ fallback: '404,404,404,404,404' })).to.deep.equal(['fallback']);
    expect(wrong({ fallback: 'site,' })).to.deep.equal(['fallback']);
    const right = {
      format: 'svg',
      color: 'currentColor',
      size: '1024',
      scale: '4',
      fallback: 'site,monogram,404,site',
    };
    expect(parse(domainQuerySchema, right, 'parameter')).to.include({ format: 'svg', color: 'currentColor' });
  });

  it('sets a size on an SVG only when one is requested', () => {
    expect(ask('svg', {}).layout).to.include({ width: null, height: null });
    expect(ask('svg', { scale: '2' }).layout).to.include({ width: 256, height: 256 });
    expect(ask('png', {}).layout).to.include({ width: 256, height: 256 });
  });

  it("parses any text in any parameter, or rejects it with the parameter's name and allowed values", () => {
    const names = [...Object.keys(PICTURE_QUERIES.webp.shape), '__proto__', 'constructor', 'colour'];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer().map(String),
      fc.constantFrom('red', 'dark', '90', 'hv', 'brand', '4', '2048'),
    );
    const query = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...PICTURE_FORMATS), query, (format, given) => {
        for (const { field, allowed } of rejection(format, given)) {
          expect(names).to.include(field);
          expect(allowed).to.satisfy(
            (text: unknown) => (typeof text === 'string' || Array.isArray(text)) && text.length > 0,
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('describes its numbers as integers with bounds and its words as enums', () => {
    const document = z.toJSONSchema(PICTURE_QUERIES.webp, { io: 'input' });
    expect(document.properties?.size).to.include({ type: 'integer', minimum: 8, maximum: 2048 });
    expect(document.properties?.rotate).to.deep.include({ type: 'integer', enum: [90, 180, 270] });
    expect(document.properties?.fallback).to.deep.include({ type: 'string', enum: ['404', 'monogram', 'transparent'] });
    expect(document.additionalProperties).to.equal(false);
    for (const [name, property] of Object.entries(document.properties ?? {}))
      expect(property, name).to.have.property('description');
  });
});
