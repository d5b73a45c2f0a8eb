// The manifest of a site, and the page that its icons are made for.
import { expect } from 'chai';
import { faviconManifest, faviconPage, type FaviconOptions } from '../../src/pictures/favicon.js';
import type { Color } from '../../src/platform/text/color.js';
import { someEntry } from '../support/entries.js';

const options = (fields: Partial<FaviconOptions> = {}): FaviconOptions => ({
  ...{ variant: null, on: null, color: null, background: null },
  ...fields,
});

describe('the manifest of a site', () => {
  const colors = (hex: string | null, fields: Partial<FaviconOptions> = {}) => {
    const manifest = JSON.parse(faviconManifest(someEntry('acme', { title: 'Acme', hex }), options(fields))) as Record<
      string,
      unknown
    >;
    return [manifest.theme_color, manifest.background_color];
  };

  it('has the color of the brand as its theme, before the ground of its icons', () => {
    expect(colors('#1D63ED')).to.deep.equal(['#1d63ed', '#ffffff']);
    expect(colors('#1D63ED', { background: '0a64c8ff' as Color })).to.deep.equal(['#1d63ed', '#0a64c8']);
  });

  it('has the ground as its theme where the color of the brand is not known', () => {
    expect(colors(null, { on: 'dark' })).to.deep.equal(['#0d1117', '#0d1117']);
    expect(colors(null, { background: '0a64c8ff' as Color })).to.deep.equal(['#0a64c8', '#0a64c8']);
  });
});

describe('the page that icons are made for', () => {
  it('is the one that is named, else by the ground, else a light one', () => {
    expect(faviconPage(options())).to.equal('light');
    expect(faviconPage(options({ background: '111111ff' as Color }))).to.equal('dark');
    expect(faviconPage(options({ background: 'eeeeeeff' as Color }))).to.equal('light');
    expect(faviconPage(options({ background: 'eeeeeeff' as Color, on: 'dark' }))).to.equal('dark');
  });
});
