// All data that the pages read, as queries. Each has one cache key and one function.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { settings } from '../settings.js';
import { call, callLike, callSignedIn, sendSignedIn, type Answer, type PathOf } from './call.js';
import { searchText } from '../host-of.js';
import type { REASONS } from '../report-reasons.js';

/** Polling interval in ms for values that change when other programs use the account. */
const LIVE_MS = 5_000;
/** Entries per page of results. */
const PAGE_SIZE = 60;

export type Account = Answer<'get', '/auth/me'>['account'];
export type UsageReport = Answer<'get', '/v1/usage'>;
export type UsageAnalytics = Answer<'get', '/v1/analytics/usage'>;
export type ResponseAnalytics = Answer<'get', '/v1/analytics/responses'>;
export type Session = Answer<'get', '/auth/sessions'>['sessions'][number];
export type PublishableKey = Answer<'get', '/auth/publishable-keys'>['publishableKeys'][number];
export type Webhook = Answer<'get', '/auth/webhooks'>['webhooks'][number];
export type WebhookDelivery = Answer<'get', '/auth/webhooks/{id}/deliveries'>['deliveries'][number];
export type Plan = Answer<'get', '/v1/subscription/plans'>['plans'][number];
export type Subscription = Answer<'get', '/v1/subscription'>;
export type Entry = Answer<'get', '/v1/catalog/{slug}'>;
export type Variant = Entry['variants'][number];
export type SearchPage = Answer<'get', '/v1/search'>;
export type SearchResult = SearchPage['results'][number];

/** Returns a query for the signed-in account. */
function accountQuery<P extends PathOf<'get'>>(path: P) {
  return queryOptions({ queryKey: [path], queryFn: ({ signal }) => callSignedIn('get', path, { signal }) });
}

export const me = queryOptions({ ...accountQuery('/auth/me'), select: ({ account }) => account });

/** Null if no change of the e-mail address awaits confirmation. */
export const pendingEmail = queryOptions({
  queryKey: ['pending-email'],
  queryFn: async ({ signal }) => {
    const response = await sendSignedIn('/dashboard/email-change', { signal });
    return ((await response.json()) as { readonly newEmail: string | null }).newEmail;
  },
});

export const usageToday = queryOptions({ ...accountQuery('/v1/usage'), refetchInterval: LIVE_MS });

export const usageByDay = (from: string, to: string) =>
  queryOptions({
    queryKey: ['analytics', from, to],
    queryFn: ({ signal }) => callSignedIn('get', '/v1/analytics/usage', { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  });

export const responsesByDay = (from: string, to: string) =>
  queryOptions({
    queryKey: ['responses', from, to],
    queryFn: ({ signal }) => callSignedIn('get', '/v1/analytics/responses', { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  });

export const sessions = queryOptions({ ...accountQuery('/auth/sessions'), select: (answer) => answer.sessions });

/** Topics of account events, each with its label. */
export const ACTIVITY_TOPICS = [
  ['account', 'Account'],
  ['own-brands', 'Own brands'],
] as const;
export type ActivityTopic = (typeof ACTIVITY_TOPICS)[number][0];

/** Common prefix of the cache keys of all topics. */
export const ACTIVITY_KEY = ['activity'] as const;

export const activityOf = (topic: ActivityTopic) =>
  infiniteQueryOptions({
    queryKey: [...ACTIVITY_KEY, topic],
    queryFn: ({ pageParam, signal }) =>
      callSignedIn('get', '/auth/activity', { query: { topic, limit: 15, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

export const plans = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call('get', '/v1/subscription/plans', { signal }),
  select: (answer) => answer.plans,
  staleTime: 300_000,
  // If no plan has a price, the service has just started or could not reach the payment provider. The service asks the
  // provider again, so this query is repeated.
  refetchInterval: ({ state }) =>
    settings.billing === 'on' && state.data?.plans.every(({ prices }) => !prices.month && !prices.year)
      ? LIVE_MS
      : false,
});

export const subscription = accountQuery('/v1/subscription');

export const publishableKeys = queryOptions({
  ...accountQuery('/auth/publishable-keys'),
  select: (answer) => answer.publishableKeys,
});

export const webhooks = queryOptions({ ...accountQuery('/auth/webhooks'), select: (answer) => answer.webhooks });

export const alerts = queryOptions({ ...accountQuery('/auth/alerts'), select: (answer) => answer.alerts });

export const deliveriesOf = (id: string) =>
  queryOptions({
    queryKey: ['webhook deliveries', id],
    queryFn: ({ signal }) => callSignedIn('get', '/auth/webhooks/{id}/deliveries', { params: { id }, signal }),
    select: (answer) => answer.deliveries,
    refetchInterval: LIVE_MS,
  });

export interface LogoReport {
  readonly slug: string;
  /** Number of reports by reason. */
  readonly reasons: Readonly<Partial<Record<(typeof REASONS)[number][0], number>>>;
  /** Newest first. */
  readonly comments: readonly { readonly text: string; readonly at: string }[];
  readonly lastAt: string;
}

/** Reports about wrong logos. Accounts that are not an operator get none. */
export const logoReports = queryOptions({
  queryKey: ['logo-reports'],
  queryFn: async ({ signal }) => {
    const response = await sendSignedIn('/dashboard/reports', { signal });
    return (await response.json()) as { readonly isOperator: boolean; readonly reports: readonly LogoReport[] };
  },
  staleTime: 60_000,
});

export type SearchFilters = Readonly<Partial<Record<'q' | 'category' | 'license' | 'variant' | 'color', string>>>;

export const search = (filters: SearchFilters, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['search', filters, limit],
    queryFn: ({ pageParam, signal }) =>
      callLike('/v1/search', '/dashboard/search', {
        query: { ...filters, q: searchText(filters.q ?? ''), limit, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });

export const entry = (slug: string) =>
  queryOptions({
    queryKey: ['entry', slug],
    queryFn: ({ signal }) =>
      callLike('/v1/catalog/{slug}', `/dashboard/catalog/${encodeURIComponent(slug)}`, { signal }),
    staleTime: 300_000,
  });
