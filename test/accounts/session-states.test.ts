// Compares the sessions of the service with the sessions of a model, after random sequences of changes.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { Change } from '../../src/accounts/changes/change.js';
import { changePassword } from '../../src/accounts/changes/credentials.js';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import { resetPassword, sendLink } from '../../src/accounts/changes/email-links.js';
import { endAllSessions, signIn, removeExpired } from '../../src/accounts/changes/sessions.js';
import { setSuspended } from '../../src/accounts/changes/status.js';
import { linkToken } from '../../src/accounts/email-link.js';
import { MAX_SESSIONS, type SessionId } from '../../src/accounts/session.js';
import type { Caller, SignedIn } from '../../src/accounts/sessions.js';
import {
  backgroundSettled,
  openTestAccounts,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from '../support/clock.js';
import { repeated } from '../support/extent.js';

const BY = { kind: 'customer', address: null } as const;
const ORIGIN = { userAgent: null, address: null };

type Step =
  | { readonly what: 'sign-in' | 'end-all' | 'reset' | 'suspend' | 'resume' | 'tidy' | 'delete' }
  | { readonly what: 'use' | 'refresh' | 'end' | 'change-password'; readonly which: number }
  | { readonly what: 'wait'; readonly ms: number };

const which = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Step>({ what: 'sign-in' }) },
  { weight: 8, arbitrary: fc.record({ what: fc.constantFrom('use' as const, 'refresh' as const), which }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('end' as const, 'change-password' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom(
        'end-all' as const,
        'reset' as const,
        'suspend' as const,
        'resume' as const,
        'resume' as const,
        'tidy' as const,
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('wait' as const),
      ms: fc.constantFrom(
        1000,
        MINUTE_MS - 1,
        MINUTE_MS,
        10 * MINUTE_MS,
        HOUR_MS,
        DAY_MS,
        3 * DAY_MS,
        7 * DAY_MS - MINUTE_MS,
        7 * DAY_MS - 1,
        7 * DAY_MS,
        20 * DAY_MS,
      ),
    }),
  },
);
const steps = fc
  .tuple(fc.array(step, { minLength: 5, maxLength: 60 }), fc.boolean())
  .map(([all, deleted]): Step[] => (deleted ? [...all, { what: 'delete' }, { what: 'sign-in' }] : all));

interface Expected {
  readonly signedIn: SignedIn;
  access: string;
  accessEndsMs: number;
  readonly createdMs: number;
  writtenMs: number;
  usedMs: number;
  ended: boolean;
}

/** An account in the service, and its expected state. */
class World {
  readonly sessions: Expected[] = [];
  suspended = false;
  deleted = false;

  constructor(
    readonly parts: TestAccounts,
    readonly clock: Clock,
    readonly id: AccountId,
  ) {}

  isLive({ ended, createdMs, writtenMs }: Expected): boolean {
    return !ended && !this.deleted && this.clock.now() < Math.min(writtenMs + 7 * DAY_MS, createdMs + 30 * DAY_MS);
  }
  at = (index: number): Expected | undefined =>
    this.sessions.length === 0 ? undefined : this.sessions[index % this.sessions.length];
  live = (): Expected[] => this.sessions.filter((session) => this.isLive(session));
  end(which: readonly Expected[]): void {
    for (const session of which) session.ended = true;
  }
  run<Result>(decide: (account: Account, at: Date) => Change<Result>): Promise<Result> {
    return this.parts.actors.run(this.id, BY, decide);
  }

  async signIn(): Promise<SignedIn> {
    let account: Account | undefined;
    const fresh = await this.run((current, at) => {
      const change = signIn(current, { passwordVersion: current.password.version, origin: ORIGIN }, at);
      account = change.account;
      return change;
    });
    return this.parts.sessions.begin(account!, fresh, someClient());
  }

  note(signedIn: SignedIn): void {
    const nowMs = this.clock.now();
    this.sessions.push({
      signedIn,
      access: signedIn.access.token,
      accessEndsMs: nowMs + signedIn.access.expiresInSeconds * 1000,
      createdMs: nowMs,
      writtenMs: nowMs,
      usedMs: nowMs,
      ended: false,
    });
  }

  used(session: Expected): void {
    const nowMs = this.clock.now();
    session.usedMs = nowMs;
    if (nowMs - session.writtenMs >= MINUTE_MS) session.writtenMs = nowMs;
  }

  async reset(): Promise<void> {
    await this.run((account, at) => sendLink(account, 'reset-password', at));
    const link = (await this.parts.accounts.find(this.id))?.links.find(({ purpose }) => purpose === 'reset-password');
    const token = linkToken(this.id, link!, this.parts.linkSecrets[0]);
    expect(
      await this.run((account, at) =>
        resetPassword(account, { token, secrets: this.parts.linkSecrets, passwordHash: PASSWORD_HASH }, at),
      ),
    ).to.have.property('key');
  }
}

async function openWorld(parts: TestAccounts, clock: Clock): Promise<World> {
  const { account } = someAccount({ passwordHash: PASSWORD_HASH, at: clock.date() });
  await parts.accounts.insert(account);
  return new World(parts, clock, account.id);
}

/** Runs one step in the service and in the model, and compares the results. */
async function take(world: World, one: Step): Promise<void> {
  if (one.what === 'wait') world.clock.advance(one.ms);
  else if (world.deleted) expect(await rejection(world.signIn())).to.equal('not_found');
  else if ('which' in one) {
    const session = world.at(one.which);
    if (session) await WITH_SESSION[one.what](world, session);
  } else await WITHOUT[one.what](world);
}

type SessionStep = Extract<Step, { which: number }>['what'];
type OtherStep = Exclude<Step['what'], SessionStep | 'wait'>;

const WITH_SESSION: Readonly<Record<SessionStep, (world: World, session: Expected) => Promise<void>>> = {
  async use(world, session) {
    const expected = !world.isLive(session) ? 'session_ended' : world.suspended ? 'account_suspended' : 'no rejection';
    expect(await rejection(world.parts.sessions.byCookie(session.signedIn.sessionToken))).to.equal(expected);
    await backgroundSettled();
    if (expected === 'no rejection') world.used(session);
  },
  async refresh(world, session) {
    if (!world.isLive(session) || world.suspended) return;
    const { parts, clock } = world;
    const access = parts.sessions.refresh(await parts.sessions.byCookie(session.signedIn.sessionToken));
    expect(access.expiresInSeconds).to.be.within(0, 900);
    session.access = access.token;
    session.accessEndsMs = clock.now() + access.expiresInSeconds * 1000;
    expect(session.accessEndsMs).to.be.at.most(session.createdMs + 30 * DAY_MS);
    await backgroundSettled();
    world.used(session);
  },
  async end(world, session) {
    const caller = await callerOf(world);
    if (!caller) return;
    const wasLive = world.isLive(session);
    expect(await world.parts.sessions.end(caller, idOf(session), someClient())).to.equal(wasLive);
    world.end([session]);
  },
  async 'change-password'(world, session) {
    const expected = !world.isLive(session) ? 'invalid_token' : world.suspended ? 'account_suspended' : 'no rejection';
    const change = world.run((account, at) =>
      changePassword(
        account,
        { passwordHash: PASSWORD_HASH, proof: { session: idOf(session), passwordVersion: account.password.version } },
        at,
      ),
    );
    expect(await rejection(change)).to.equal(expected);
    if (expected === 'no rejection') world.end(world.sessions.filter((other) => other !== session));
  },
};

const WITHOUT: Readonly<Record<OtherStep, (world: World) => Promise<void>>> = {
  async 'sign-in'(world) {
    if (world.suspended) {
      expect(await rejection(world.signIn())).to.equal('account_suspended');
      return;
    }
    const isFull = world.live().length === MAX_SESSIONS;
    if (isFull) expect(await rejection(world.signIn())).to.equal('session_limit');
    else world.note(await world.signIn());
  },
  async 'end-all'(world) {
    const caller = await callerOf(world);
    if (!caller) return;
    const ended = await world.run((account, at) =>
      endAllSessions(account, { session: caller.session.id, passwordVersion: account.password.version }, at),
    );
    expect(ended).to.equal(world.live().length);
    world.end(world.sessions);
  },
  async reset(world) {
    await world.reset();
    world.end(world.sessions);
  },
  suspend: (world) => suspend(world, true),
  resume: (world) => suspend(world, false),
  tidy: (world) => world.run(removeExpired),
  async delete(world) {
    await world.run((account, at) => beginDeletion(account, undefined, at));
    world.deleted = true;
  },
};

async function suspend(world: World, suspended: boolean): Promise<void> {
  await world.run((account) => setSuspended(account, suspended));
  world.suspended = suspended;
}

/**
 * Returns the id of the session. Call it right after the sign-in, because it returns the last session of the account.
 */
function idOf({ signedIn }: Expected): SessionId {
  return signedIn.account.sessions.at(-1)!.id;
}

/**
 * Returns the caller of the first live session, or undefined if there is none or the account is suspended. The call
 * counts as a use of the session.
 */
async function callerOf(world: World): Promise<Caller | undefined> {
  const [session] = world.live();
  if (!session || world.suspended) return undefined;
  const caller = await world.parts.sessions.byCookie(session.signedIn.sessionToken);
  await backgroundSettled();
  world.used(session);
  return caller;
}

/**
 * Compares all sessions with the model. The cookie and the access token of an ended session must both be rejected. No
 * live session may be too old.
 */
async function compare(world: World): Promise<void> {
  const { parts, clock } = world;
  for (const session of world.sessions) {
    if (world.isLive(session)) {
      expect(clock.now() - session.createdMs).to.be.below(30 * DAY_MS);
      expect(clock.now() - session.usedMs).to.be.below(7 * DAY_MS + MINUTE_MS);
      continue;
    }
    expect(await rejection(parts.sessions.byCookie(session.signedIn.sessionToken))).to.equal('session_ended');
    expect(await rejection(parts.sessions.byBearer(session.access))).to.equal('invalid_token');
  }
  expect(world.live().length).to.be.at.most(MAX_SESSIONS);
  const account = await parts.accounts.find(world.id);
  const caller = account && !world.deleted && account.sessions[0] && { account, session: account.sessions[0] };
  if (caller) expect(parts.sessions.list(caller)).to.have.length(world.live().length);
}

describe('sessions', () => {
  let parts: TestAccounts;
  let clock: Clock;
  beforeEach(async () => {
    clock = clockAt();
    parts = await openTestAccounts({ now: clock.now });
  });
  afterEach(() => parts.close());

  it('match the model after any steps', async function () {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = await openWorld(parts, clock);
        for (const one of all) {
          await take(world, one);
          await compare(world);
        }
        // A live session is accepted by cookie, and by access token until the token expires.
        for (const session of world.live()) {
          const expected = world.suspended ? 'account_suspended' : 'no rejection';
          const byBearer = await rejection(parts.sessions.byBearer(session.access));
          expect(byBearer).to.equal(
            Math.floor(clock.now() / 1000) * 1000 < session.accessEndsMs ? expected : 'invalid_token',
          );
          expect(await rejection(parts.sessions.byCookie(session.signedIn.sessionToken))).to.equal(expected);
        }
      }),
      { numRuns: repeated(40, 80) },
    );
    expect(parts.problems).to.deep.equal([]);
  });

  it('never reappear, and never exceed the limit, however their changes interleave', async function () {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 2, maxLength: 6 }), { minLength: 3, maxLength: 12 }),
        async (waves) => {
          const world = await openWorld(parts, clock);
          const signedIns: SignedIn[] = [];
          const dead = new Set<string>();
          for (const wave of waves) {
            const before = signedIns.map(({ sessionToken }) => sessionToken);
            await Promise.all(
              wave.map(async (one) => {
                if (one.what === 'wait') {
                  clock.advance(one.ms / 10);
                  return;
                }
                if (one.what === 'sign-in')
                  return world.signIn().then(
                    (signedIn) => void signedIns.push(signedIn),
                    () => undefined,
                  );
                const target = 'which' in one ? signedIns[one.which % Math.max(1, signedIns.length)] : undefined;
                if (one.what === 'use' || one.what === 'refresh')
                  return target && rejection(parts.sessions.byCookie(target.sessionToken));
                const changes: Partial<Record<Step['what'], () => Promise<unknown>>> = {
                  'end-all': () =>
                    world.run((account) => ({ account: { ...account, sessions: [] }, facts: [], result: undefined })),
                  reset: () => world.reset(),
                  suspend: () => world.run((account) => setSuspended(account, true)),
                  resume: () => world.run((account) => setSuspended(account, false)),
                  tidy: () => world.run(removeExpired),
                };
                return changes[one.what]?.().catch(() => undefined);
              }),
            );
            await backgroundSettled();
            const outcomes = await Promise.all(
              signedIns.map(({ sessionToken }) => rejection(parts.sessions.byCookie(sessionToken))),
            );
            const live = signedIns
              .filter((_, index) => outcomes[index] !== 'session_ended')
              .map(({ sessionToken }) => sessionToken);
            expect(live.length).to.be.at.most(MAX_SESSIONS);
            for (const token of live) expect(dead.has(token), 'an ended session came back').to.equal(false);
            for (const { sessionToken } of signedIns) if (!live.includes(sessionToken)) dead.add(sessionToken);
            const ends = wave.some(({ what }) => what === 'end-all');
            if (ends)
              for (const token of before) expect(live, 'signed in before everything ended').to.not.include(token);
          }
        },
      ),
      { numRuns: repeated(20, 30) },
    );
  });

  it('record one use for any number of concurrent requests', async () => {
    const world = await openWorld(parts, clock);
    const { sessionToken } = await world.signIn();
    const before = (await parts.accounts.find(world.id))!.version;
    clock.advance(MINUTE_MS);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => rejection(parts.sessions.byCookie(sessionToken))),
    );
    await backgroundSettled();
    expect(new Set(outcomes)).to.deep.equal(new Set(['no rejection']));
    expect((await parts.accounts.find(world.id))!.version).to.equal(before + 1);
    expect(parts.problems).to.deep.equal([]);
  });
});
