// Links to other sites, which open in a new tab.
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.js';

/** Returns true for a web address. `url` may be any text, but only web addresses become links. */
export function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//.test(url);
}

export function LinkOrText({ text, url }: { readonly text: string; readonly url: string | null }) {
  return isWebAddress(url) ? <OutsideLink href={url}>{text}</OutsideLink> : <>{text}</>;
}

export function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a className="outside" href={href} target="_blank" rel="noreferrer noopener">
      {children} <Icon name="external-link" size={13} label="(opens in a new tab)" />
    </a>
  );
}
