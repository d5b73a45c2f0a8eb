// argon2id: right, wrong, unknown, outdated, and how much of it at once.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import argon2 from 'argon2';
import { openPasswordHasher, type OpenedPasswordHasher } from '../../../../src/adapters/workers/password-hasher.js';
import { readPasswordRules } from '../../../../config/passwords.js';
import { eventually } from '../../../support/auth.js';
import { PASSWORD, PASSWORD_HASH, refusal } from '../../../support/account-services.js';

const RULES = readPasswordRules().argon2id;
const ASKER = 'client';
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

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times.sort((a, b) => a - b)[4]!;
}

describe('password hasher', () => {
  afterEach(() => {
    for (const hasher of opened.splice(0)) hasher.close();
  });

  it('makes argon2id with the parameters of the configuration, another salt each time', async () => {
    const [one, two] = await Promise.all([open().hash(PASSWORD, ASKER), open().hash(PASSWORD, ASKER)]);
    expect(one).to.match(/^\$argon2id\$v=19\$(?=[^$]*m=19456)(?=[^$]*t=2)(?=[^$]*p=1)[^$]*\$/);
    expect(one).to.not.equal(two);
    expect(await open().verify(one, PASSWORD, ASKER)).to.equal(true);
    expect(await open().verify(one, `${PASSWORD} `, ASKER)).to.equal(false);
    expect(await open().verify(one, '', ASKER)).to.equal(false);
  });

  it('says no where there is no account, after the same work', async () => {
    const hasher = open();
    expect(await hasher.verify(undefined, PASSWORD, ASKER)).to.equal(false);
    const known = await millisecondsOf(() => hasher.verify(PASSWORD_HASH, 'wrong', ASKER));
    const unknown = await millisecondsOf(() => hasher.verify(undefined, 'wrong', ASKER));
    expect(unknown / known).to.be.within(0.5, 2);
  });

  it('knows what was made with weaker parameters', async () => {
    expect(open().isOutdated(PASSWORD_HASH)).to.equal(false);
    const weaker = await argon2.hash(PASSWORD, {
      type: argon2.argon2id,
      memoryCost: 8192,
      timeCost: 2,
      parallelism: 1,
    });
    expect(open().isOutdated(weaker)).to.equal(true);
    expect(open(4, { ...RULES, passes: 3 }).isOutdated(PASSWORD_HASH)).to.equal(true);
    expect(await open().verify(weaker, PASSWORD, ASKER)).to.equal(true);
  });

  it('refuses what does not fit into a short queue, and leaves threads for others', async () => {
    const hasher = open(3);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => refusal(hasher.verify(PASSWORD_HASH, 'wrong', ASKER))),
    );
    expect(outcomes.filter((outcome) => outcome === 'no refusal')).to.have.length(33);
    expect(outcomes.filter((outcome) => outcome === 'busy')).to.have.length(27);
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER), 'afterwards').to.equal(true);
  });

  it('makes room in a full queue for an asker who has less of it', async () => {
    const hasher = open(3);
    const asked = Array.from({ length: 33 }, () => refusal(hasher.verify(PASSWORD_HASH, 'wrong', 'many')));
    expect([hasher.isFull('many'), hasher.isFull('few')]).to.deep.equal([true, false]);
    const served: string[] = [];
    const before = Promise.all(asked.slice(0, 3)).then(() => served.push('the third of many'));
    const few = hasher.verify(PASSWORD_HASH, PASSWORD, 'few').finally(() => served.push('few'));
    expect(await few).to.equal(true);
    await before;
    expect(served).to.deep.equal(['few', 'the third of many']);
    expect(await Promise.all(asked)).to.deep.equal([...Array<string>(32).fill('no refusal'), 'busy']);
    expect(hasher.isFull('many')).to.equal(false);
  });

  it('works with the smallest pool there is', async () => {
    expect(await open(1).verify(PASSWORD_HASH, PASSWORD, ASKER)).to.equal(true);
  });

  it('hashes in a process that gives way to this one and knows nothing of its environment; when it dies, another takes over', async function () {
    if (process.platform !== 'linux') this.skip();
    const losses: string[] = [];
    const hasher = kept(openPasswordHasher({ ...RULES, poolThreads: 4, onLoss: (reason) => losses.push(reason) }));
    await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER);
    const [host = 0] = children();
    expect(getPriority(host)).to.equal(19);
    expect(readFileSync(`/proc/${host}/environ`, 'utf8')).to.not.include('PATH');
    const asked = Array.from({ length: 5 }, () => refusal(hasher.verify(PASSWORD_HASH, PASSWORD, ASKER)));
    process.kill(host, 'SIGKILL');
    expect(new Set(await Promise.all(asked))).to.include('busy');
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER)).to.equal(true);
    expect(losses).to.deep.equal(['the hashing process ended (SIGKILL)']);
  });

  it('tells of a process that ends while it has nothing to do, and not of one that it ends itself', async function () {
    if (process.platform !== 'linux') this.skip();
    const before = new Set(children());
    const losses: string[] = [];
    const hasher = kept(openPasswordHasher({ ...RULES, poolThreads: 4, onLoss: (reason) => losses.push(reason) }));
    const begin = async (): Promise<number> => {
      await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER);
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

  it('gives up a process that hangs, says so, and starts another', async function () {
    if (process.platform !== 'linux') this.skip();
    const losses: string[] = [];
    const timeoutMs = 2500;
    const before = new Set(children());
    const hasher = kept(
      openPasswordHasher({ ...RULES, poolThreads: 3, timeoutMs, onLoss: (reason) => losses.push(reason) }),
    );
    await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER);
    const [host = 0, ...more] = children().filter((id) => !before.has(id));
    expect(more).to.deep.equal([]);
    process.kill(host, 'SIGSTOP');
    const beganMs = performance.now();
    // One at a time with this pool: the first hangs, the second waits for its permit.
    const asked = [hasher.verify(PASSWORD_HASH, PASSWORD, ASKER), hasher.verify(PASSWORD_HASH, PASSWORD, ASKER)].map(
      (answer) => refusal(answer),
    );
    expect(await Promise.all(asked)).to.deep.equal(['busy', 'no refusal']);
    expect(performance.now() - beganMs).to.be.at.least(timeoutMs - 50);
    expect(await hasher.verify(PASSWORD_HASH, PASSWORD, ASKER), 'afterwards').to.equal(true);
    expect(children()).to.not.include(host);
    expect(losses).to.deep.equal([`the hashing process did not answer within ${timeoutMs} ms and was killed`]);
  });
});
