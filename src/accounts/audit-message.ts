// Messages about security events, for people: a sentence built from the event's details, or the description of its
// type.
import { AUDIT_TYPES, type AuditDetail, type AuditFact, type AuditType } from './audit-event.js';

type Sentence = (detail: AuditDetail) => string | undefined;

const SENTENCES: Readonly<Partial<Record<AuditType, Sentence>>> = {
  user_updated: (detail) => {
    const { emailVerified, emailChanged, suspended, throttled, token, name, subscription, ownBrand } = detail;
    if (token === 'publishable key') return `The publishable key “${name}” was changed.`;
    if (detail.webhook !== undefined) return `A webhook endpoint at ${detail.webhook} was ${detail.change}.`;
    if (ownBrand !== undefined) return BRAND_SENTENCES[String(detail.change)]?.(detail);
    if (emailChanged === true) return 'The e-mail address was changed.';
    if (emailVerified === true) return 'The e-mail address was verified.';
    if (suspended === false) return 'The operator lifted the suspension.';
    return throttled === false
      ? 'The operator unblocked sign-ins.'
      : SUBSCRIPTION_SENTENCES[String(subscription)]?.(detail);
  },
  authn_token_created: ({ token, hint, replaced, purpose, name }) => {
    if (token === 'publishable key') return `The publishable key “${name}” was created.`;
    if (token === 'link') return `A link to ${LINK_USES[String(purpose)] ?? 'confirm a change'} was created.`;
    return replaced === null
      ? `An API key was created: …${hint}.`
      : `The API key …${replaced} was replaced with …${hint}.`;
  },
  authn_token_revoked: ({ token, hint, name }) =>
    token === 'publishable key'
      ? `The publishable key “${name}” was revoked.`
      : `The operator revoked the API key …${hint}.`,
  authn_password_change: ({ by }) =>
    by === 'link' ? 'A new password was set with a reset link.' : 'The password was changed.',
  authz_change: ({ from, to, source }) =>
    from === to
      ? 'The tier is still ' +
        `${to}${source === 'operator' ? ', now set by the operator' : ', decided by the subscription again'}.`
      : `The tier changed from ${from} to ${to}${TIER_REASONS[String(source)] ?? ''}.`,
  sensitive_read: ({ page }) =>
    page === 'billing'
      ? 'The billing page of the payment provider was opened.'
      : 'All data of the account was exported.',
  session_expired: ({ why, sessions }) => {
    if (why === 'signed out') return 'A session was signed out.';
    if (why === 'signed out everywhere')
      return `Signed out everywhere: ${sessions === 1 ? 'one session' : `${sessions} sessions`} ended.`;
    return why === 'too many'
      ? 'A sign-in ended the oldest unused session, because the account had too many sessions.'
      : 'Sessions expired.';
  },
};

const BRAND_SENTENCES: Readonly<Record<string, Sentence>> = {
  created: ({ ownBrand }) => `The own brand “${ownBrand}” was created.`,
  changed: ({ ownBrand }) => `The own brand “${ownBrand}” was changed.`,
  removed: ({ ownBrand }) => `The own brand “${ownBrand}” was removed.`,
  'drawing put': ({ ownBrand, variant }) => `The drawing “${variant}” of the own brand “${ownBrand}” was uploaded.`,
  'drawing removed': ({ ownBrand, variant }) => `The drawing “${variant}” of the own brand “${ownBrand}” was removed.`,
  archive: ({ ownBrand }) => `${ownBrand} own brands were uploaded in an archive.`,
};

const SUBSCRIPTION_SENTENCES: Readonly<Record<string, (detail: AuditDetail) => string>> = {
  new: ({ plan, interval, status }) =>
    plan === null
      ? `A subscription without a plan of this service was bought. Status: ${status}.`
      : `The ${plan} plan was bought, billed every ${interval}. Status: ${status}.`,
  removed: ({ plan }) => `The subscription ${plan === null ? 'without a plan' : `to the ${plan} plan`} was removed.`,
  plan: ({ plan, interval }) =>
    plan === null
      ? 'The subscription was changed to a price without a plan of this service.'
      : `The subscription was changed to the ${plan} plan, billed every ${interval}.`,
  canceled: ({ endsOn }) => `The subscription was canceled. It ends on ${endsOn}.`,
  resumed: () => 'The cancellation of the subscription was undone.',
  status: ({ status }) => `The subscription status changed to ${status}.`,
};

/** `LinkPurpose` → purpose of the link, as in "A link to set a new password was created." */
const LINK_USES: Readonly<Record<string, string>> = {
  'reset-password': 'set a new password',
  'verify-email': 'verify the e-mail address',
  'confirm-email': 'confirm a new e-mail address',
};

/** `tierSource` → end of a sentence about a new tier. */
const TIER_REASONS: Readonly<Record<string, string>> = {
  operator: ', set by the operator',
  stripe: ', because of the subscription',
};

export function auditText({ type, detail = {} }: AuditFact): string {
  return SENTENCES[type]?.(detail) ?? AUDIT_TYPES[type];
}
