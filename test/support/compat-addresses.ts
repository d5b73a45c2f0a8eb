// Addresses of other services as their documentation has them (test/data/compat-addresses.txt), and the same here.
import { readFileSync } from 'node:fs';

export interface CompatAddress {
  readonly service: string;
  /** As the other service has it. */
  readonly address: string;
  readonly status: number;
  readonly type: string;
  /** `128x128`; undefined where the answer has none. */
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

/** Path and query of the same address here: its host is replaced, and nothing else. */
export function compatPath({ service, address }: Pick<CompatAddress, 'service' | 'address'>, key: string): string {
  return `/compat/${key}/${service}${address.replace(/^https?:\/\/[^/]+/, '')}`;
}
