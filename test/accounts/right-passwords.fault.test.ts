// A flood of right passwords. The limits for wrong passwords don't stop the flood, and other users must still be able
// to sign in.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from } from '../support/auth.js';
import { suiteServer, type Customer } from '../support/server.js';

const LOOPS = 60;
/**
 * Number of accounts in the flood. At most ten passwords of one account reach the hash queue at a time, so several
 * accounts are needed to fill it.
 */
const ACCOUNTS = 6;
const SIGN_INS = 5;

describe('a flood of right passwords from one address', () => {
  const server = suiteServer({ TRUST_PROXY: '1' });

  it('fills the hashing queue without blocking sign-ins of other clients', async () => {
    const crowd = await Promise.all(Array.from({ length: ACCOUNTS }, () => server.customer()));
    const { email } = await server.customer();
    const told = new Map<number, number>();
    let goesOn = true;
    const loop = async ({ accessToken }: Customer): Promise<void> => {
      while (goesOn) {
        const { status } = await ask(server, '/auth/regenerate-key', {
          bearer: accessToken,
          body: { currentPassword: PASSWORD },
          headers: from('203.0.113.7'),
        });
        told.set(status, (told.get(status) ?? 0) + 1);
        // Without a pause after each rejection, the process would do nothing but reject requests.
        if (status !== 200) await sleep(20);
      }
    };
    const loops = Promise.all(Array.from({ length: LOOPS }, (_, index) => loop(crowd[index % ACCOUNTS]!)));

    const statuses: number[] = [];
    for (let count = 0; count < SIGN_INS; count++) {
      const { status } = await ask(server, '/auth/login', {
        body: { email, password: PASSWORD },
        headers: from('203.0.113.8'),
      });
      statuses.push(status);
    }
    expect(statuses).to.deep.equal(Array.from({ length: SIGN_INS }, () => 200));
    await eventually(() => told.has(200) && told.has(503), 'full queue, and a crowd that is served too');
    goesOn = false;
    await loops;
  });
});
