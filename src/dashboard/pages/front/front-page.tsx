// The front page: what the service does, some logos, a first request, and the plans.
import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.js';
import { Code } from '../../components/copy.js';
import { foundCount } from '../../components/found-count.js';
import { Icon } from '../../components/icon.js';
import { QueryContent } from '../../components/query-states.js';
import { plans, search } from '../../data/queries.js';
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
  return (
    <>
      <section className="hero">
        <div className="hero-text">
          <h1>Every brand’s logo, one request away</h1>
          <p>
            Blazon is an API for icons and brand assets that you host yourself: logos as SVG, PNG and WebP, recolored
            and sized by the address, found by name, domain or color.
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
      <Plans />
      <footer className="footer">
        <div>
          <span>Blazon. Logos belong to their owners.</span>
          <a href="/docs">API reference</a>
          <a href="/moving">Moving from another service</a>
          {hasGallery && <a href="/strip">Strip of logos</a>}
          <a href="/openapi.json">openapi.json</a>
          <a href="/licenses">Licenses</a>
          {isSignedIn ? <a href="/overview">Dashboard</a> : <a href="/sign-in">Sign in</a>}
        </div>
      </footer>
    </>
  );
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
          <a href="/catalog">
            {data.pages[0] && foundCount(data.pages[0], ['brand', 'brands'])}, all of them searchable
          </a>
        </p>
      )}
    </section>
  );
}

const FEATURES = [
  [
    'One grammar for pictures',
    'Variant, color, size, padding, background: in the address, the same for SVG, PNG and WebP.',
    '/v1/png/stripe?size=128&on=dark',
  ],
  [
    'From a domain to its logo',
    'Host names lead to the brand, up to the registrable domain, with public suffixes respected.',
    '/v1/brand?domain=mail.google.com',
  ],
  [
    'Search that forgives',
    'Typing errors, aliases, categories, licenses and nearest colors, with true totals.',
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
      <p className="moving-hint quiet">
        Logos or favicons from another service? Its addresses work here, with another host.{' '}
        <a href="/moving">See yours, rewritten</a>
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
          <p className="lead">
            Limits are per day and counted exactly. What is answered from your cache costs nothing.
          </p>
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
