// Cache key of a picture, which is also the ETag: each parameter changes the key.
import { expect } from 'chai';
import { pictureKey, pictureSpec } from '../../src/pictures/picture-spec.js';
import {
  PICTURE_FORMATS,
  PICTURE_QUERIES,
  pictureRequest,
  type PictureFormat,
} from '../../src/pictures/picture-request.js';
import { someEntry, someVariant } from '../support/entries.js';

const shape = { width: 40, height: 20, colors: ['#101010'], on: ['light'] } as const;
const ENTRY = someEntry('acme', {
  hex: '#101010',
  variants: [
    someVariant({ ...shape, etag: 'etag-default', ink: [4, 2, 20, 10] }),
    someVariant({ ...shape, name: 'other', etag: 'etag-other' }),
  ],
});

type Query = Readonly<Record<string, string>>;

const UNSIZED: Query = { background: 'f0f', padding: '10', rotate: '90', radius: '5' };
/** Parameters that are always present, because other parameters require them. */
const BASE: Query = { ...UNSIZED, size: '64' };

/** Parameter → values whose pictures all differ from each other and from the picture of `BASE`. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  variant: ['other'],
  on: ['dark'],
  color: ['f00', '0f0', '00f8'],
  greyscale: ['1'],
  size: ['65', '128'],
  scale: ['2', '3'],
  trim: ['1'],
  padding: ['0', '11', '40'],
  background: ['transparent', 'fff', 'f0f8'],
  radius: ['0', '25', '50'],
  rotate: ['180', '270'],
  flip: ['h', 'v'],
  quality: ['1', '80', '100'],
};
/** Parameters that replace `size`. */
const SIDES: Readonly<Record<string, readonly string[]>> = { width: ['64', '65'], height: ['64', '65'] };
/** Parameters that do not change the picture: they change how it is sent, or what replaces a missing picture. */
const OTHERS: Query = { fallback: 'monogram', download: '1', v: ENTRY.revision };

function keyOf(format: PictureFormat, query: Query): string {
  const request = pictureRequest(format, PICTURE_QUERIES[format].parse(query));
  const { variant, picture } = pictureSpec(ENTRY, request);
  return pictureKey(variant.etag, picture, request);
}

describe('the key of a picture', () => {
  for (const format of PICTURE_FORMATS) {
    const names = Object.keys(PICTURE_QUERIES[format].shape);

    it(`is tested with every parameter of ${format}`, () => {
      expect(Object.keys({ ...VALUES, ...SIDES, ...OTHERS })).to.include.members(names);
    });

    for (const name of names.filter((one) => VALUES[one] !== undefined))
      it(`differs for each ${name} of ${format}`, () => {
        const keys = (VALUES[name] ?? []).map((value) => keyOf(format, { ...BASE, [name]: value }));
        expect(new Set([keyOf(format, BASE), ...keys]).size).to.equal(keys.length + 1);
      });

    for (const [name, values] of Object.entries(SIDES))
      it(`differs for each ${name} of ${format}`, () => {
        const keys = values.map((value) => keyOf(format, { ...UNSIZED, [name]: value }));
        expect(new Set([keyOf(format, UNSIZED), ...keys]).size).to.equal(keys.length + 1);
      });

    it(`does not depend on parameters of ${format} that do not change the picture`, () => {
      for (const [name, value] of Object.entries(OTHERS))
        expect(keyOf(format, { ...BASE, [name]: value }), name).to.equal(keyOf(format, BASE));
    });
  }

  it('differs in each format', () => {
    expect(new Set(PICTURE_FORMATS.map((format) => keyOf(format, BASE))).size).to.equal(PICTURE_FORMATS.length);
  });

  it('differs for an SVG that fills its container and one with the size of the PNG', () => {
    expect(keyOf('svg', UNSIZED)).to.not.equal(keyOf('svg', { ...UNSIZED, size: '256' }));
    expect(keyOf('svg', UNSIZED).replace('?', '')).to.equal(keyOf('svg', { ...UNSIZED, size: '256' }));
  });
});
