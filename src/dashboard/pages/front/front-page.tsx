// The front page: what the service does, some logos, a first request, and the plans.
import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.js';
import { Code } from '../../components/copy.js';
import { brandsIn, foundCount } from '../../components/found-count.js';
import { Icon } from '../../components/icon.js';
import { QueryContent } from '../../components/query-states.js';
import { plans, search } from '../../data/queries.js';
import { formatNumber } from '../../format.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { settings } from '../../settings.js';
import { useTheme } from '../../theme.js';
import { Preview } from '../../components/preview.js';
import { PlanCard } from './plan-card.js';
import { requestText } from './request-text.js';
import { TryNow } from './try-now.js';

const FIRST_REQUEST = requestText('/v1/svg/github?color=brand');
/** Number of logos in the strip. */
const STRIP = 36;

export default function FrontPage() {
  usePageTitle('');
  const isSignedIn = useSession() === 'signed-in';
  const hasGallery = settings.gallery === 'on' || isSignedIn;
  const brands = useBrandCount(hasGallery);
  return (
    <>
      <section className="hero">
        <div className="hero-text">
          <h1>{brands} brand logos in one API</h1>
          <p>
            Blazon is a self-hosted API for logos and icons. Get a logo as SVG, PNG or WebP. Set its size and color in
            the URL. Find brands by name, domain or color.
          </p>
          <div className="button-row">
            {isSignedIn ? (
              <a className="button primary large" href="/overview">
                Go to your dashboard <Icon name="forward" size={18} />
              </a>
            ) : (
              settings.registration !== 'closed' && (
                <a className="button primary large" href="/register">
                  Get an API key <Icon name="forward" size={18} />
                </a>
              )
            )}
            <a className="button large" href={hasGallery ? '/catalog' : '/docs'}>
              {hasGallery ? 'Browse the catalog' : 'Read the reference'}
            </a>
          </div>
          {hasGallery ? <TryNow /> : <Code text={FIRST_REQUEST} label="first request" />}
        </div>
        {hasGallery && <LogoStrip />}
      </section>
      <Features />
      {settings.billing === 'on' && <Plans />}
      <footer className="footer">
        <div>
          <span>Logos are trademarks of their owners.</span>
          <a href="/docs">API reference</a>
          <a href="/migration">Migrate from another service</a>
          {hasGallery && <a href="/strip">Logo strips</a>}
          <a href="/openapi.json">OpenAPI document</a>
          <a href="/licenses">Licenses</a>
          {settings.siteIcons === 'on' && (
            <a href="/docs/guides/site-icons#if-you-own-a-site">Remove the icon of your site</a>
          )}
          {isSignedIn ? <a href="/overview">Dashboard</a> : <a href="/sign-in">Sign in</a>}
        </div>
      </footer>
    </>
  );
}

/** Returns the number of brands in the catalog, or "Thousands of" until it is known. Both have about the same width. */
function useBrandCount(isOpen: boolean): string {
  const { data } = useInfiniteQuery({ ...search({}, STRIP), enabled: isOpen });
  const page = data?.pages[0];
  return page ? formatNumber(brandsIn(page)) : 'Thousands of';
}

function LogoStrip() {
  const on = useTheme();
  const { data } = useInfiniteQuery(search({}, STRIP));
  const results = data?.pages[0]?.results ?? [];
  return (
    <section className="strip-frame" aria-labelledby="strip-title">
      <h2 id="strip-title" className="visually-hidden">
        Some logos of the catalog
      </h2>
      <ul className="strip">
        {results.length === 0
          ? Array.from({ length: STRIP }, (_, at) => <li key={at} className="skeleton" />)
          : results.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/catalog/${slug}`} title={title}>
                  <Preview slug={slug} alt={title} size={36} query={{ on }} lazy={false} />
                </a>
              </li>
            ))}
      </ul>
      {data && (
        <p className="strip-total">
          <a href="/catalog">Search {data.pages[0] && foundCount(data.pages[0], ['brand', 'brands'])}</a>
        </p>
      )}
    </section>
  );
}

const FEATURES = [
  [
    'The same parameters for every format',
    'Set variant, color, size, padding and background in the URL, for SVG, PNG and WebP.',
    '/v1/png/stripe?size=128&on=dark',
  ],
  [
    'Find a logo by domain',
    'Any host name of a brand works: mail.google.com finds the logo of Gmail or Google.',
    '/v1/brand?domain=mail.google.com',
  ],
  [
    'Search that tolerates typos',
    'Search by name, alias, category, license or color. Misspelled names find their brand, too.',
    '/v1/search?q=gihtub',
  ],
] as const;

function Features() {
  return (
    <section className="page features" aria-label="What it does">
      {FEATURES.map(([title, text, example]) => (
        <div key={title} className="card card-body stack">
          <h2>{title}</h2>
          <p className="quiet">{text}</p>
          <code className="example">GET {example}</code>
        </div>
      ))}
      <p className="migration-hint quiet">
        Do you use another logo or favicon service? Change the host in its URLs, and they work here.{' '}
        <a href="/migration">Migrate your URLs</a>
      </p>
    </section>
  );
}

function Plans() {
  const query = useQuery(plans);
  return (
    <section className="page" aria-labelledby="plans">
      <div className="page-head">
        <div>
          <h2 id="plans" className="section-title">
            Plans
          </h2>
          <p className="lead">Limits apply per UTC day. Pictures from your own cache don’t count.</p>
        </div>
      </div>
      <QueryContent query={query} lines={6}>
        {(list) => (
          <div className="plans">
            {list.map((plan) => (
              <PlanCard key={plan.tier} {...plan} />
            ))}
          </div>
        )}
      </QueryContent>
    </section>
  );
}
