// The tests' own instruments measure what they say.
import { expect } from 'chai';
import { mannWhitney } from '../../support/mann-whitney.js';
import { unfolded } from '../../support/quoted-printable.js';
import { secretsIn, textOf } from '../../support/secrets.js';

describe('mannWhitney', () => {
  it('knows examples that were computed elsewhere', () => {
    // Computed in Python from its definition: U over all pairs, math.erfc for the tail.
    const one = Array.from({ length: 40 }, (_, index) => index);
    expect(
      mannWhitney(
        one,
        one.map((value) => value + 5),
      ),
    ).to.be.closeTo(0.0711389, 1e-6);
    expect(mannWhitney(one, one)).to.be.closeTo(1, 1e-6);
    expect(
      mannWhitney(
        one,
        one.map((value) => value + 40),
      ),
    ).to.be.below(1e-12);
  });

  it('sees a small shift in many tries, and none where there is none', () => {
    const noise = Array.from({ length: 1000 }, (_, index) => Math.sin(index * 12.9898) * 5);
    const [one, other] = [noise.slice(0, 500), noise.slice(500)];
    expect(mannWhitney(one, other)).to.be.above(0.01);
    expect(
      mannWhitney(
        one,
        other.map((value) => value + 1.5),
      ),
    ).to.be.below(0.01);
  });
});

describe('unfolded', () => {
  it('reads an escape once, and joins lines', () => {
    const head = 'Content-Transfer-Encoding: quoted-printable\r\n\r\n';
    expect(unfolded(`${head}/verify-email#token=3D23ab=3D3Dcd=\r\nef =C3`)).to.equal(
      `${head}/verify-email#token=23ab=3Dcdef \u00C3`,
    );
  });

  it('leaves a part as it is that is not quoted-printable', () => {
    const part = '----1\r\nContent-Transfer-Encoding: 7bit\r\n\r\n#token=AB\r\n';
    expect(unfolded(`${part}----1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=41`)).to.equal(
      `${part}----1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nA`,
    );
  });
});

describe('secretsIn', () => {
  const secret = 'pass phrase/with+signs & "ümläut"';
  const forms: Record<string, string> = {
    raw: `x${secret}y`,
    'percent-encoded': `?p=${encodeURIComponent(secret)}`,
    'form-encoded': new URLSearchParams({ p: secret }).toString(),
    JSON: JSON.stringify({ p: secret }),
    hex: Buffer.from(`a${secret}`).toString('hex'),
    base64: Buffer.from(`ab${secret}cd`).toString('base64'),
    base64url: Buffer.from(`a${secret}`).toString('base64url'),
  };
  for (const [form, text] of Object.entries(forms)) {
    it(`finds one in ${form}`, () => {
      expect(secretsIn([textOf('log', text)], { password: secret })).to.not.deep.equal([]);
    });
  }

  it('finds none where there is none, and tells none', () => {
    expect(secretsIn([textOf('log', 'nothing here')], { password: secret })).to.deep.equal([]);
    expect(secretsIn([textOf('log', secret)], { password: secret }).join()).to.not.include(secret);
  });
});
