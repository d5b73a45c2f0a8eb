// What may happen to an account: each change takes the account as it is and says what it becomes, what is to be recorded,
// and what the caller gets. Nothing here waits, so whatever is decided is decided about one state.
import { AppError } from '../errors.js';
import type { Account, AccountId, AccountKey } from './account.js';
import { newApiKey } from './api-key.js';
import type { AuditFact } from './audit.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from './base62.js';
import { isYoung, linkOf, newLink, type LinkPurpose, type OpenLink } from './link.js';
import { newMail, retried, type MailKind, type NoticeKind } from './mail.js';
import type { Tier } from './plan.js';
import { MAX_SESSIONS, isLive, isWorthTouching, newSession, type NewSession, type Origin, type SessionId } from './session.js';

export interface Change<Result = undefined> {
  /** The same object as before: there is nothing to save. */
  readonly account: Account;
  readonly facts: readonly AuditFact[];
  readonly result: Result;
}

/** More than anybody waits for; the oldest go first. */
const MAX_MAILS = 20;
const THROTTLE_NOTICE_MS = 3_600_000;
const NOTICE_STEP_MS = 600_000;

const unchanged = (account: Account): Change => ({ account, facts: [], result: undefined });

function withMail(account: Account, kind: MailKind, at: Date): Account {
  return { ...account, mails: [...account.mails, newMail(kind, at)].slice(-MAX_MAILS) };
}

/** News of one kind is told at once, and then at most every ten minutes, for all that happened meanwhile: an inbox is not to be filled. */
function withNotice(account: Account, kind: NoticeKind, at: Date): Account {
  if (account.mails.some((mail) => mail.kind === kind && mail.dueAt > at)) return account;
  const last = account.noticedAt[kind]?.getTime() ?? 0;
  const dueAt = new Date(Math.max(at.getTime(), last + NOTICE_STEP_MS));
  const mails = [...account.mails, newMail(kind, at, dueAt)].slice(-MAX_MAILS);
  return { ...account, mails, noticedAt: { ...account.noticedAt, [kind]: dueAt } };
}

/** In the place of an older one of the same purpose, and of the mail with it, should that still be waiting. */
function withLink(account: Account, link: OpenLink): Change<OpenLink> {
  const { purpose } = link;
  const links = [...account.links.filter((other) => other.purpose !== purpose), link];
  return {
    account: { ...account, links, mails: account.mails.filter(({ kind }) => kind !== purpose) },
    facts: [{ type: 'authn_token_created', detail: { token: 'link', purpose } }],
    result: link,
  };
}

function freshKey(id: AccountId, at: Date): { readonly raw: string; readonly key: AccountKey } {
  const { raw, hash, hint } = newApiKey(id);
  return { raw, key: { hash, hint, createdAt: at, lastUsedAt: null } };
}

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  readonly tier: Tier;
  readonly at: Date;
}

/** With its first key, and a mail on its way that asks to verify the address. */
export function newAccount({ email, passwordHash, tier, at }: NewAccount): Change<{ readonly apiKey: string }> {
  const id = randomBase62(ACCOUNT_ID_LENGTH) as AccountId;
  const { raw, key } = freshKey(id, at);
  const account: Account = {
    id,
    email,
    emailVerified: false,
    password: { hash: passwordHash, version: 1 },
    tier,
    suspended: false,
    createdAt: at,
    key,
    sessions: [],
    links: [],
    mails: [],
    throttleNoticeAt: null,
    noticedAt: {},
    deleting: false,
    version: 1,
  };
  const asked = withMail(withLink(account, newLink('verify-email', at)).account, 'verify-email', at);
  return { account: asked, facts: [{ type: 'user_created', detail: { tier, key: key.hint } }], result: { apiKey: raw } };
}

/** The password was checked outside; meanwhile another one may have been set. */
function assertSamePassword(account: Account, checkedVersion: number): void {
  if (account.password.version !== checkedVersion) throw new AppError('invalid_credentials');
}

/** What the customer proved when asking: checking the password takes time, in which all of it may have ended. */
export interface Asked {
  readonly session: SessionId;
  /** Of the password that was found right. */
  readonly passwordVersion: number;
}

/** Nothing to prove for the operator, who is undefined here. Throws `invalid_token`, `account_suspended`, `invalid_credentials`. */
export function assertMayStill(account: Account, asked: Asked | undefined, at: Date): void {
  if (!asked) return;
  const session = account.sessions.find(({ id }) => id === asked.session);
  if (!session || !isLive(session, at)) throw new AppError('invalid_token');
  if (account.suspended) throw new AppError('account_suspended');
  assertSamePassword(account, asked.passwordVersion);
}

export interface SignIn {
  /** Of the password that was found right. */
  readonly passwordVersion: number;
  readonly origin: Origin;
  /** The same password, hashed with newer parameters. */
  readonly rehash?: string;
}

/** Others stay signed in; beyond 20 live sessions the oldest ends. Throws `invalid_credentials`, `account_suspended`. */
export function signIn(account: Account, { passwordVersion, origin, rehash }: SignIn, at: Date): Change<NewSession> {
  assertSamePassword(account, passwordVersion);
  if (account.suspended) throw new AppError('account_suspended');
  const fresh = newSession(account.id, origin, at);
  const live = account.sessions.filter((session) => isLive(session, at));
  const sessions = [...live, fresh.session].slice(-MAX_SESSIONS);
  const password = rehash === undefined ? account.password : { ...account.password, hash: rehash };
  const ended = live.length + 1 - sessions.length;
  const facts: AuditFact[] = [{ type: 'authn_login_success', detail: { session: fresh.session.id } }];
  if (ended > 0) facts.push({ type: 'session_expired', detail: { sessions: ended, why: 'too many' } });
  return { account: { ...account, sessions, password }, facts, result: fresh };
}

/** Writes down that a live session was used now, unless that was done a moment ago. */
export function useSession(account: Account, id: SessionId, at: Date): Change {
  const used = account.sessions.find((session) => session.id === id);
  if (!used || !isLive(used, at) || !isWorthTouching(used, at)) return unchanged(account);
  return { ...unchanged(account), account: { ...account, sessions: account.sessions.map((session) => (session === used ? { ...used, lastUsedAt: at } : session)) } };
}

/** The result: whether there was such a live session. */
export function endSession(account: Account, id: SessionId, at: Date): Change<boolean> {
  const ended = account.sessions.find((session) => session.id === id);
  if (!ended || !isLive(ended, at)) return { account, facts: [], result: false };
  return {
    account: { ...account, sessions: account.sessions.filter((session) => session !== ended) },
    facts: [{ type: 'session_expired', detail: { session: id, why: 'signed out' } }],
    result: true,
  };
}

/** The result: how many live ones there were. `asked` is undefined for the operator. */
export function endAllSessions(account: Account, asked: Asked | undefined, at: Date): Change<number> {
  assertMayStill(account, asked, at);
  const live = account.sessions.filter((session) => isLive(session, at)).length;
  if (account.sessions.length === 0) return { account, facts: [], result: 0 };
  return { account: { ...account, sessions: [] }, facts: [{ type: 'session_expired', detail: { sessions: live, why: 'signed out everywhere' } }], result: live };
}

/** Takes away what has ended of itself. */
export function tidy(account: Account, at: Date): Change {
  const sessions = account.sessions.filter((session) => isLive(session, at));
  const links = account.links.filter(({ expiresAt }) => at < expiresAt);
  const ended = account.sessions.length - sessions.length;
  if (ended === 0 && links.length === account.links.length) return unchanged(account);
  const facts: AuditFact[] = ended === 0 ? [] : [{ type: 'session_expired', detail: { sessions: ended, why: 'time' } }];
  return { account: { ...account, sessions, links }, facts, result: undefined };
}

export interface KeyChange {
  readonly raw: string;
  readonly key: AccountKey;
}

/** One write: the old key stops with it, the new one begins. `asked` is undefined for the operator. */
export function regenerateKey(account: Account, asked: Asked | undefined, at: Date): Change<KeyChange> {
  assertMayStill(account, asked, at);
  const { raw, key } = freshKey(account.id, at);
  const facts: AuditFact[] = [{ type: 'authn_token_created', detail: { token: 'API key', hint: key.hint, replaced: account.key?.hint ?? null } }];
  return { account: withNotice({ ...account, key }, 'key-replaced', at), facts, result: { raw, key } };
}

export function revokeKey(account: Account): Change<boolean> {
  const { key } = account;
  if (!key) return { account, facts: [], result: false };
  return { account: { ...account, key: null }, facts: [{ type: 'authn_token_revoked', detail: { token: 'API key', hint: key.hint } }], result: true };
}

export interface PasswordChange {
  /** Its session is the one that goes on. */
  readonly asked: Asked;
  readonly passwordHash: string;
}

/** Ends all other sessions, and every link that could set yet another password. */
export function changePassword(account: Account, { asked, passwordHash }: PasswordChange, at: Date): Change {
  assertMayStill(account, asked, at);
  return withPassword(account, passwordHash, { at, keep: asked.session });
}

function withPassword(account: Account, passwordHash: string, { at, keep }: { readonly at: Date; readonly keep?: SessionId }): Change {
  const sessions = account.sessions.filter(({ id }) => id === keep);
  const links = account.links.filter(({ purpose }) => purpose !== 'reset-password');
  const password = { hash: passwordHash, version: account.password.version + 1 };
  const changed = { ...account, password, sessions, links };
  return {
    account: withNotice(changed, 'password-changed', at),
    facts: [{ type: 'authn_password_change', detail: { by: keep === undefined ? 'link' : 'password', endedSessions: account.sessions.length - sessions.length } }],
    result: undefined,
  };
}

/**
 * The mail is on its way. A link that is good for half its time yet is sent again, a new one takes the place of an older one:
 * whoever asks for links in somebody else's name must not void those that the owner has.
 */
export function sendLink(account: Account, purpose: LinkPurpose, at: Date): Change {
  if (purpose === 'verify-email' && account.emailVerified) return unchanged(account);
  const young = account.links.find((link) => link.purpose === purpose && isYoung(link, at));
  const { account: linked, facts } = withLink(account, young ?? newLink(purpose, at));
  return { account: withMail(linked, purpose, at), facts, result: undefined };
}

/** A link to set another password, for the operator to hand over: no mail has it. */
export function makeResetLink(account: Account, at: Date): Change<OpenLink> {
  return withLink(account, newLink('reset-password', at));
}

export interface UsedLink {
  readonly token: string;
  /** Any of these may have made it. */
  readonly secrets: readonly string[];
}

/** Ends all sessions. Who can read the mail owns the address, so it is verified too. The result: whether the link was good. */
export function resetPassword(account: Account, { token, secrets, passwordHash }: UsedLink & { readonly passwordHash: string }, at: Date): Change<boolean> {
  if (!linkOf(account, token, { purpose: 'reset-password', secrets, at })) return { account, facts: [], result: false };
  const links = account.links.filter(({ purpose }) => purpose !== 'verify-email');
  return { ...withPassword({ ...account, emailVerified: true, links }, passwordHash, { at }), result: true };
}

export function verifyEmail(account: Account, { token, secrets }: UsedLink, at: Date): Change<boolean> {
  const link = linkOf(account, token, { purpose: 'verify-email', secrets, at });
  if (!link) return { account, facts: [], result: false };
  const links = account.links.filter((other) => other !== link);
  return { account: { ...account, emailVerified: true, links }, facts: [{ type: 'user_updated', detail: { emailVerified: true } }], result: true };
}

export function setTier(account: Account, tier: Tier): Change {
  if (account.tier === tier) return unchanged(account);
  return { account: { ...account, tier }, facts: [{ type: 'authz_change', detail: { from: account.tier, to: tier } }], result: undefined };
}

export function setSuspended(account: Account, suspended: boolean): Change {
  if (account.suspended === suspended) return unchanged(account);
  const fact: AuditFact = suspended ? { type: 'authn_login_lock' } : { type: 'user_updated', detail: { suspended } };
  return { account: { ...account, suspended }, facts: [fact], result: undefined };
}

/** Tells the owner and the record, at most once an hour. */
export function noteThrottled(account: Account, at: Date): Change {
  if (account.throttleNoticeAt && at.getTime() - account.throttleNoticeAt.getTime() < THROTTLE_NOTICE_MS) return unchanged(account);
  return { account: withNotice({ ...account, throttleNoticeAt: at }, 'sign-ins-throttled', at), facts: [{ type: 'authn_login_fail_max' }], result: undefined };
}

/** The owner hears of the next flood at once, even within the hour. */
export function forgetThrottling(account: Account): Change {
  return { account: { ...account, throttleNoticeAt: null }, facts: [{ type: 'user_updated', detail: { throttled: false } }], result: undefined };
}

/** From here on nothing of it works; what is kept of it is removed after. `asked` is undefined for the operator. */
export function beginDeletion(account: Account, asked: Asked | undefined, at: Date): Change {
  assertMayStill(account, asked, at);
  return { account: { ...account, deleting: true, key: null, sessions: [], links: [], mails: [] }, facts: [{ type: 'user_deleted' }], result: undefined };
}

/** `sent` is false when it has to be tried again later. */
export function settleMail(account: Account, id: string, { sent, at }: { readonly sent: boolean; readonly at: Date }): Change {
  const mail = account.mails.find((one) => one.id === id);
  if (!mail) return unchanged(account);
  const again = sent ? undefined : retried(mail, at);
  const mails = account.mails.flatMap((one) => (one !== mail ? [one] : again ? [again] : []));
  return { account: { ...account, mails }, facts: [], result: undefined };
}
