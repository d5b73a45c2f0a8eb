// URLs of similar services, such as Clearbit (test/data/compat-addresses.txt), and the Blazon URLs that replace them.
import { readFileSync } from 'node:fs';

export interface CompatAddress {
  readonly service: string;
  /** URL in the form that `service` documents. */
  readonly address: string;
  readonly status: number;
  readonly type: string;
  /** Size of the response in pixels, such as `128x128`. Undefined if the response has no size. */
  readonly size: string | undefined;
  readonly slug: string | undefined;
}

export function compatAddresses(): readonly CompatAddress[] {
  const lines = readFileSync(new URL('../../../test/data/compat-addresses.txt', import.meta.url), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [service = '', address = '', status = '', type = '', size, slug] = line.trim().split(/\s+/);
    const known = (text: string | undefined) => (text === '-' ? undefined : text);
    return [{ service, address, status: Number(status), type, size: known(size), slug: known(slug) }];
  });
}

/** Returns the Blazon path that replaces the URL. The part of the URL after the host does not change. */
export function compatPath({ service, address }: Pick<CompatAddress, 'service' | 'address'>, key: string): string {
  return `/compat/${key}/${service}${address.replace(/^https?:\/\/[^/]+/, '')}`;
}
