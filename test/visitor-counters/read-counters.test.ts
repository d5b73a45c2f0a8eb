// Visitor counters in config/counters.json: defaults, and error messages that name the allowed values.
import { expect } from 'chai';
import { countersSchema, readCounters } from '../../src/visitor-counters/read-counters.js';

const ORIGIN = 'must be an origin such as https://example.com, or *';

describe('visitor counters', () => {
  it('that are shipped only count requests from this machine', () => {
    expect([...readCounters().keys()]).to.deep.equal(['example']);
    for (const origin of readCounters().get('example' as never)!.origins)
      expect(origin).to.match(/localhost|127\.0\.0\.1/);
  });

  it('have defaults', () => {
    expect(countersSchema.parse({ home: { origins: [] } })).to.deep.equal({
      home: { origins: [], enabled: true, seed: 0 },
    });
    const full = { origins: ['https://example.com', 'http://localhost:8080', '*'], enabled: false, seed: 5, label: '' };
    expect(countersSchema.parse({ 'a-1': full })).to.deep.equal({ 'a-1': full });
  });

  it('may be a thousand, with names of 64 characters, a hundred origins and a label of 100 characters', () => {
    const origins = Array.from({ length: 100 }, (_, index) => `https://${index}.example`);
    const longest = { [`0${'-'.repeat(63)}`]: { origins, label: '€'.repeat(100), seed: 2 ** 53 - 1 } };
    const most = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`c${index}`, { origins: [] }]));
    for (const counters of [longest, most]) expect(countersSchema.safeParse(counters).success).to.equal(true);
  });

  const wrong: readonly [unknown, string, string][] = [
    [[], '', 'must be an object with counters by name'],
    [{ Home: { origins: [] } }, 'Home', 'is not a valid counter name: letters a-z, digits and "-"'],
    [{ ['a'.repeat(65)]: { origins: [] } }, 'a'.repeat(65), 'is not a valid counter name'],
    [{ home: {} }, 'home.origins', 'must be a list of at most 100 origins'],
    [{ home: { origins: Array(101).fill('*') } }, 'home.origins', 'must be a list of at most 100 origins'],
    [{ '-home': { origins: [] } }, '-home', 'is not a valid counter name'],
    [{ home: { origins: ['example.com'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: ['https://example.com/a'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: ['https://example.com/'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: ['https://EXAMPLE.com'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: ['null'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: ['ftp://example.com'] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: [7] } }, 'home.origins.0', ORIGIN],
    [{ home: { origins: [], enabled: 'yes' } }, 'home.enabled', 'must be true or false'],
    [{ home: { origins: [], seed: -1 } }, 'home.seed', 'must be a whole number of at least 0'],
    [{ home: { origins: [], seed: 0.5 } }, 'home.seed', 'must be a whole number of at least 0'],
    [{ home: { origins: [], label: 'x'.repeat(101) } }, 'home.label', 'must be text: at most 100 characters'],
    [{ home: { origins: [], label: 'a\nb' } }, 'home.label', 'must be text: at most 100 characters'],
    [{ home: { origins: [], sed: 1 } }, 'home', 'has sed; allowed: origins, enabled, seed, label'],
    [
      Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`c${index}`, { origins: [] }])),
      '',
      'has 1001 counters; at most 1000',
    ],
  ];
  for (const [content, place, message] of wrong) {
    it(`say of ${place.slice(0, 20) || 'the file'}: ${message}`, () => {
      const [issue] = countersSchema.safeParse(content).error?.issues ?? [];
      expect(issue?.path.join('.')).to.equal(place);
      expect(issue?.message).to.include(message);
    });
  }
});
