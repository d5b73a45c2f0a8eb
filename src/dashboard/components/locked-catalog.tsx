// What a visitor sees of a catalog that is for accounts.
import { ApiError } from '../api/error.js';
import { settings } from '../settings.js';
import { Icon } from './icon.js';
import { Empty } from './states.js';

/** Whether it is why there is no answer. */
export function isLocked(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'session_ended';
}

export function LockedCatalog() {
  const back = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <div className="page">
      <h1 className="visually-hidden">Catalog</h1>
      <Empty icon={<Icon name="locked" size={36} />} title="Sign in to browse the catalog">
        <p>On this service the catalog is for accounts.</p>
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
