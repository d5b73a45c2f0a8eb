// Tests of test helpers, for faults that no other test would find.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { AccountId } from '../../src/accounts/account.js';
import { newApiKey } from '../../src/accounts/api-key.js';
import { PASSWORD } from './accounts.js';
import { mannWhitney } from './mann-whitney.js';
import { expectNoSecretsIn, secretsIn, spellingsOf } from './secrets.js';
import { temporaryDir } from './temporary.js';

describe('mannWhitney', () => {
  const one = Array.from({ length: 40 }, (_, index) => index);
  const against = (shift: number): number =>
    mannWhitney(
      one,
      one.map((value) => value + shift),
    );

  it('computes known examples', () => {
    // The expected p values come from a Python program. It computed the U statistic from all pairs of values, and the p
    // value with math.erfc.
    expect(against(5)).to.be.closeTo(0.0711389, 1e-6);
    expect(against(0)).to.be.closeTo(1, 1e-6);
    expect(against(40)).to.be.below(1e-12);
  });
});

describe('the search for secrets', () => {
  const secret = 'pass phrase/with+signs & "ümläut"';
  const finds = (text: string) => spellingsOf(secret).some((spelling) => text.includes(spelling));

  it('finds one in every spelling', () => {
    for (const text of [
      `x${secret}y`,
      `?p=${encodeURIComponent(secret)}`,
      encodeURIComponent(secret).replaceAll('%20', '+'),
      JSON.stringify({ p: secret }),
      Buffer.from(`a${secret}`).toString('hex'),
      ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}cd`).toString('base64')),
      Buffer.from(`a${secret}`).toString('base64url'),
    ])
      expect(finds(text), text).to.equal(true);
    expect(finds(secret.slice(0, -1))).to.equal(false);
  });

  it('finds secrets by their form, and ignores similar text', () => {
    const key = newApiKey('AccountId012' as AccountId).raw;
    const token = jwt.sign({ sid: 'p3VnX0wQ7sLk2RtY' }, 'x'.repeat(32));
    expect(secretsIn(Buffer.from(`x${key}y`))).to.deep.equal(['API key']);
    expect(secretsIn(Buffer.from(`Bearer ${token}`))).to.deep.equal(['access token']);
    expect(secretsIn(Buffer.from(`a=b; __Host-blazon_session=${'a'.repeat(55)}`))).to.have.length(1);
    expect(secretsIn(Buffer.from(`"${PASSWORD}"`))).to.deep.equal(['password']);
    expect(secretsIn(Buffer.from(`${key.slice(0, -1)}! eyJ.eyJ. blazon_session=; blz_`))).to.deep.equal([]);
  });

  it('fails for a folder with a secret in a file, except for mails', () => {
    const { path, remove } = temporaryDir();
    mkdirSync(join(path, 'deep', 'outbox'), { recursive: true });
    writeFileSync(join(path, 'deep', 'outbox', '1.eml'), PASSWORD);
    expectNoSecretsIn(path);
    writeFileSync(join(path, 'deep', 'debug.txt'), PASSWORD);
    expect(remove).to.throw(/debug\.txt holds a secret: password$/);
    rmSync(path, { recursive: true });
  });
});
