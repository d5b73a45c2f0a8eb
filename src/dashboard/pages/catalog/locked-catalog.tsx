// Shown to visitors instead of the catalog, if only accounts may browse it.
import { Empty } from '../../components/query-states.js';
import { settings } from '../../settings.js';

export function LockedCatalog() {
  const back = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <div className="page">
      <h1 className="visually-hidden">Catalog</h1>
      <Empty icon="locked" iconSize={36} title="Sign in to browse the catalog">
        <p>Only accounts can browse the catalog of this service.</p>
        <div className="button-row">
          <a className="button primary" href={back}>
            Sign in
          </a>
          {settings.registration !== 'closed' && (
            <a className="button" href="/register">
              Get an API key
            </a>
          )}
        </div>
      </Empty>
    </div>
  );
}
