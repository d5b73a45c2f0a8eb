// URLs of other services from their documentation (test/data/compat-addresses.txt), and their replacements.
import { readFileSync } from 'node:fs';

export interface CompatAddress {
  readonly service: string;
  /** URL at the other service. */
  readonly address: string;
  readonly status: number;
  readonly type: string;
  /** `128x128`, or undefined if the response has no size. */
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

/** Path and query of the replacement. Only the host differs. */
export function compatPath({ service, address }: Pick<CompatAddress, 'service' | 'address'>, key: string): string {
  return `/compat/${key}/${service}${address.replace(/^https?:\/\/[^/]+/, '')}`;
}
