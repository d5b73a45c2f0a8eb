// Banners that warn if the page's URL doesn't allow signing in, or if the browser is offline.
import { settings } from '../settings.js';
import { createStore, useStore } from '../store.js';

const online = createStore(navigator.onLine);
for (const type of ['online', 'offline']) addEventListener(type, () => online.set(navigator.onLine));

/**
 * Warns if the page was opened at another origin than PUBLIC_URL, because cookies and the same-origin check work only
 * at PUBLIC_URL.
 */
export function OriginBanner() {
  const { origin } = new URL(settings.origin);
  if (origin === location.origin) return null;
  return (
    <p className="banner">
      You can sign in only at <a href={origin + location.pathname}>{origin}</a>, the address of this service.
    </p>
  );
}

export function ConnectionBanner() {
  const isOnline = useStore(online);
  return (
    <div role="status">
      {!isOnline && (
        <p className="banner">You are offline. What you see may be out of date; nothing you typed is lost.</p>
      )}
    </div>
  );
}
