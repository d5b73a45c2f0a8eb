// Token of a mailed link: in the part after `#`, which no server, log or referrer gets.
import { useEffect, useState } from 'react';

/** Empty when the link is not complete. `forget` takes it out of the address. */
export function useLinkToken(): { readonly token: string; readonly forget: () => void } {
  const [token, setToken] = useState(read);
  useEffect(() => {
    // Another link was put into the same window.
    const update = (): void => setToken(read());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return { token, forget: () => history.replaceState(history.state, '', location.pathname) };
}

function read(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}
