// Places of bodies in memory: for a route, and for one account of all.
import { expect } from 'chai';
import { BodyPlaces } from '../../../../src/http/request/binary-body.js';

describe('places of bodies', () => {
  it('are bounded for an account and for all, and given back', () => {
    const places = new BodyPlaces({ all: 3, ofOne: 2 });
    const busy = (owner: string) =>
      expect(() => places.take(owner))
        .to.throw()
        .with.property('code', 'busy');
    const [first] = [places.take('a'), places.take('a')] as const;
    busy('a');
    places.take('b');
    busy('c');
    first();
    places.take('c');
    busy('a');
  });
});
