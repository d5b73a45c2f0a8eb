// Banners: opened at an address where signing in cannot work, or offline.
import { useSyncExternalStore } from 'react';
import { settings } from '../settings.js';

/** Cookies and the same-origin check hold for PUBLIC_URL alone. */
export function OriginBanner() {
  const { origin } = new URL(settings.origin);
  if (origin === location.origin) return null;
  return (
    <p className="banner">
      Signing in works at <a href={origin + location.pathname}>{origin}</a> only, which is this service’s address.
    </p>
  );
}

export function ConnectionBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className="banner">You are offline. What you see may be out of date; nothing you typed is lost.</p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
