// License notice of the catalog: sources with their authors, brands whose license has conditions, and license texts.
import { expect } from 'chai';
import { catalogNotice } from '../../src/catalog/license-notice.js';
import { someEntry } from '../support/entries.js';

const texts = new Map([
  ['MIT', 'The text of MIT\n'],
  ['Apache-2.0', 'The text of Apache\n'],
]);
const licensed = (type: string) => ({
  license: { type, url: `https://spdx.org/licenses/${type}.html`, redistributable: true },
});

describe('the notice of the catalog', () => {
  it('names sources with authors, each brand under a license with conditions, and the texts that are needed', () => {
    const notice = catalogNotice(
      [
        { package: 'icons', version: '1.2.3', author: 'Ada', license: 'MIT', text: 'Copyright Ada' },
        { package: 'free', version: '1', author: null, license: 'CC0-1.0', text: 'All of CC0' },
      ],
      [
        someEntry('acme', { title: 'Acme', source: 'https://acme.example', ...licensed('CC-BY-4.0') }),
        someEntry('hooli', licensed('CC0-1.0')),
      ],
      texts,
    );
    expect(notice).to.include('icons 1.2.3, by Ada').and.include('Copyright Ada');
    expect(notice).to.include('CC-BY-4.0: 1 brands').and.include('https://spdx.org/licenses/CC-BY-4.0.html');
    expect(notice).to.include('Acme (acme), from https://acme.example');
    expect(notice).to.include('The text of MIT');
    expect(notice).not.to.include('hooli');
    expect(notice).not.to.include('All of CC0');
    expect(notice).not.to.include('The text of Apache');
  });
});
