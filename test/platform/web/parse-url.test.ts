import { expect } from 'chai';
import { parseHost } from '../../../src/platform/web/host-name.js';
import { parseUrl } from '../../../src/platform/web/parse-url.js';

describe('an address with letters beyond ASCII', () => {
  it('is parsed the same the thousandth time', () => {
    for (let times = 0; times < 50_000; times++)
      if (parseUrl('https://b\u00fccher.example')?.hostname !== 'xn--bcher-kva.example') expect.fail(`time ${times}`);
    for (let times = 0; times < 20_000; times++)
      if (parseHost('b\u00fccher.de').kind !== 'host') expect.fail(`time ${times}`);
    expect(parseUrl('nothing')).to.equal(undefined);
  });
});
