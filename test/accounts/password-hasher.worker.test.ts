// Password hasher: right and wrong passwords, passwords without an account, outdated hashes, and the queue.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import argon2 from 'argon2';
import { openPasswordHasher, type OpenedPasswordHasher } from '../../src/accounts/password-hasher.worker.js';
import type { HashTurn } from '../../src/accounts/password-hasher.js';
import { createHashing } from '../../workers/hash/hashing.js';
import { readPasswordRules } from '../../config/passwords.js';
import { eventually } from '../support/auth.js';
import { PASSWORD, PASSWORD_HASH, rejection } from '../support/account-services.js';

const RULES = readPasswordRules().argon2id;
const stranger = (fairnessKey = 'client'): HashTurn => ({ lane: 'stranger', fairnessKey });
const owner = (fairnessKey = 'account'): HashTurn => ({ lane: 'known', fairnessKey });
const TURN = stranger();
const opened: OpenedPasswordHasher[] = [];
function open(poolThreads = 4, parameters = RULES): OpenedPasswordHasher {
  return kept(openPasswordHasher({ ...parameters, poolThreads }));
}
function kept(hasher: OpenedPasswordHasher): OpenedPasswordHasher {
  opened.push(hasher);
  return hasher;
}

const children = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

describe('password hasher', () => {
  afterEach(() => {
    for (const hasher of opened.splice(0)) hasher.close();
  });

  it('hashes with argon2id, the configured parameters, and a different salt each time', async () => {
    const [one, two] = await Promise.all([open().hash(PASSWORD, TURN), open().hash(PASSWORD, TURN)]);
    expect(one).to.match(/^\$argon2id\$v=19\$(?=[^$]*m=19456)(?=[^$]*t=2)(?=[^$]*p=1)[^$]*\$/);
    expect(one).to.not.equal(two);
    expect(await open().verify(one, PASSWORD, TURN)).to.equal(true);
    expect(await open().verify(one, `${PASSWORD} `, TURN)).to.equal(false);
    expect(await open().verify(one, '', TURN)).to.equal(false);
  });

  it('rejects the password after the same work if there is no account', async () => {
    const others = new Set(children());
    expect(await open().verify(undefined, PASSWORD, TURN)).to.equal(false);
    expect(
      children().filter((pid) => !others.has(pid)),
      'the hashing process',
    ).to.have.length(1);
    const verified: string[] = [];
    const answerTo = createHashing(RULES, {
      hash: argon2.hash,
      verify(stored, password) {
        verified.push(stored);
        return argon2.verify(stored, password);
      },
    });
    for (const stored of [PASSWORD_HASH, null])
      expect(await answerTo({ password: 'wrong', work: { stored } })).to.equal(false);
    expect(verified).to.have.length(2);
    const [known = '', decoy = ''] = verified;
    expect(known).to.equal(PASSWORD_HASH);
    // For unknown accounts, a fixed hash is compared. It must have the parameters of a real hash, so that it takes the
    // same time.
    const parametersOf = (hash: string) => hash.split(/[$,]/).slice(1, -2).sort();
    expect(parametersOf(decoy)).to.deep.equal(parametersOf(known));
  });

  it('recognizes hashes made with weaker parameters', async () => {
    expect(open().isOutdated(PASSWORD_HASH)).to.equal(false);
    const weaker = await argon2.hash(PASSWORD, {
      type: argon2.argon2id,
      memoryCost: 8192,
      timeCost: 2,
      parallelism: 1,
    });
    expect(open().isOutdated(weaker)).to.equal(true);
    expect(open(4, { ...RULES, passes: 3 }).isOutdated(PASSWORD_HASH)).to.equal(true);
    expect(await open().verify(weaker, PASSWORD, TURN)).to.equal(true);
  });

  it('rejects requests beyond a short queue, and leaves threads for other work', async () => {
    const hasher = open(3);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => rejection(hasher.verify(PASSWORD_HASH, 'wrong', TURN))),
    );
    expect(outcomes.filter((outcome) => outcome === 'no rejection')).to.have.length(33);
    expect(outcomes.filter((outcome) => outcome === 'busy')).to.have.length(27);
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, TURN), 'afterwards').to.equal(true);
  });

  it('makes room in a full queue for a key with fewer requests', async () => {
    const hasher = open(3);
    const asked = Array.from({ length: 33 }, () => rejection(hasher.verify(PASSWORD_HASH, 'wrong', stranger('many'))));
    expect([hasher.isFull(stranger('many')), hasher.isFull(stranger('few'))]).to.deep.equal([true, false]);
    const served: string[] = [];
    const before = Promise.all(asked.slice(0, 3)).then(() => served.push('the third of many'));
    const few = hasher.verify(PASSWORD_HASH, PASSWORD, stranger('few')).finally(() => served.push('few'));
    expect(await few).to.equal(true);
    await before;
    expect(served).to.deep.equal(['few', 'the third of many']);
    expect(await Promise.all(asked)).to.deep.equal([...Array<string>(32).fill('no rejection'), 'busy']);
    expect(hasher.isFull(stranger('many'))).to.equal(false);
  });

  it("keeps places of known clients from any number of strangers' addresses, and takes turns", async () => {
    const hasher = open(3);
    const served: string[] = [];
    const ask = (turn: HashTurn, name: string) =>
      rejection(hasher.verify(PASSWORD_HASH, 'wrong', turn)).then((outcome) => {
        served.push(name);
        return outcome;
      });
    const crowd = Array.from({ length: 60 }, (_, index) => ask(stranger(`address ${index}`), `stranger ${index}`));
    expect([hasher.isFull(stranger('another')), hasher.isFull(owner())]).to.deep.equal([true, false]);
    const owners = ['ada', 'bob'].map((name) => ask(owner(name), name));
    const outcomes = await Promise.all(crowd);
    expect(await Promise.all(owners)).to.deep.equal(['no rejection', 'no rejection']);
    expect(outcomes.filter((outcome) => outcome === 'no rejection')).to.have.length(33);
    const hashed = served.filter((name) => !/ (?:3[3-9]|[45]\d)$/.test(name));
    expect(hashed.slice(0, 5)).to.deep.equal(['stranger 0', 'ada', 'stranger 1', 'bob', 'stranger 2']);
  });

  it('keeps the places of strangers from known clients', async () => {
    const hasher = open(3);
    const crowd = Array.from({ length: 40 }, (_, index) =>
      rejection(hasher.verify(PASSWORD_HASH, 'wrong', owner(`account ${index}`))),
    );
    expect([hasher.isFull(owner('another')), hasher.isFull(stranger())]).to.deep.equal([true, false]);
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, stranger())).to.equal(true);
    expect((await Promise.all(crowd)).filter((outcome) => outcome === 'busy')).to.have.length(7);
  });

  it('works with the smallest thread pool', async () => {
    expect(await open(1).verify(PASSWORD_HASH, PASSWORD, TURN)).to.equal(true);
  });

  it('hashes in a process of lower priority without the environment, and starts another when it dies', async function () {
    if (process.platform !== 'linux') this.skip();
    const losses: string[] = [];
    const others = new Set(children());
    const hasher = kept(openPasswordHasher({ ...RULES, poolThreads: 4, onLoss: (reason) => losses.push(reason) }));
    await hasher.verify(PASSWORD_HASH, PASSWORD, TURN);
    const [host = 0] = children().filter((id) => !others.has(id));
    expect(getPriority(host)).to.equal(19);
    expect(readFileSync(`/proc/${host}/environ`, 'utf8')).to.not.include('PATH');
    const asked = Array.from({ length: 5 }, () => rejection(hasher.verify(PASSWORD_HASH, PASSWORD, TURN)));
    process.kill(host, 'SIGKILL');
    expect(new Set(await Promise.all(asked))).to.include('busy');
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, TURN)).to.equal(true);
    expect(losses).to.deep.equal(['the hashing process ended (SIGKILL)']);
  });

  it('reports a process that ends while idle, and not one that it ends itself', async function () {
    if (process.platform !== 'linux') this.skip();
    const before = new Set(children());
    const losses: string[] = [];
    const hasher = kept(openPasswordHasher({ ...RULES, poolThreads: 4, onLoss: (reason) => losses.push(reason) }));
    const begin = async (): Promise<number> => {
      await hasher.verify(PASSWORD_HASH, PASSWORD, TURN);
      return children().find((id) => !before.has(id)) ?? expect.fail('no process');
    };
    process.kill(await begin(), 'SIGABRT');
    await eventually(() => losses[0], 'loss');
    const last = await begin();
    hasher.close();
    await eventually(() => (children().includes(last) ? undefined : last), 'end');
    await sleep(50);
    expect(losses).to.deep.equal(['the hashing process ended (SIGABRT)']);
  });

  it('kills a process that hangs, reports it, and starts another', async function () {
    if (process.platform !== 'linux') this.skip();
    const losses: string[] = [];
    const timeoutMs = 60_000;
    const before = new Set(children());
    const hasher = kept(
      openPasswordHasher({ ...RULES, poolThreads: 3, timeoutMs, onLoss: (reason) => losses.push(reason) }),
    );
    await hasher.verify(PASSWORD_HASH, PASSWORD, TURN);
    const [host = 0, ...more] = children().filter((id) => !before.has(id));
    expect(more).to.deep.equal([]);
    process.kill(host, 'SIGSTOP');
    mock.timers.enable({ apis: ['setTimeout'] });
    // This hasher hashes one password at a time. The first call hangs, and the second call waits for the first.
    const asked = [hasher.verify(PASSWORD_HASH, PASSWORD, TURN), hasher.verify(PASSWORD_HASH, PASSWORD, TURN)].map(
      (answer) => rejection(answer),
    );
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(timeoutMs - 1);
    expect(losses).to.deep.equal([]);
    mock.timers.tick(1);
    expect(await Promise.all(asked)).to.deep.equal(['busy', 'no rejection']);
    mock.timers.reset();
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, TURN), 'afterwards').to.equal(true);
    await eventually(() => (children().includes(host) ? undefined : host), 'end');
    expect(losses).to.deep.equal([`the hashing process did not respond within ${timeoutMs} ms and was killed`]);
  });
});
