// Connections to checked addresses only. Each connection resolves its host once, and uses the addresses that were
// checked.
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { within } from '../concurrency/deadline.js';
import { isPublicAddress } from './public-address.js';
import { resolveBySystem, type ResolveHost } from './resolve-host.js';
import type { Exceptions } from './target.js';

/** Time limit in ms for resolving a host. The same limit applies to connecting to it. */
const CONNECT_MS = 2000;

/** Error for a host that is a non-public IP address, or that resolves to one. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/** Error for a host without an address, or with name servers that do not respond. */
export class HostNotFound extends Error {
  override readonly name = 'HostNotFound';
}

/** Connects to one of these addresses. Tests replace this function. */
export type Dial = (addresses: readonly string[]) => buildConnector.connector;

export interface ConnectOptions {
  readonly resolve: ResolveHost;
  readonly dial: Dial;
  readonly exceptions: Exceptions;
}

/** Returns the addresses of a public host. Rejects with AddressNotAllowed or HostNotFound. */
export async function publicAddresses(hostname: string, resolve: ResolveHost): Promise<readonly string[]> {
  const addresses = await addressesOf(hostname, resolve);
  // One private address is enough to reject the host. It is a sign of DNS rebinding, or the name has another meaning in
  // this network.
  if (!addresses.every(isPublicAddress)) throw new AddressNotAllowed('the address is not public');
  return addresses;
}

async function addressesOf(hostname: string, resolve: ResolveHost): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return [literal];
  const addresses = await within(CONNECT_MS, resolve(hostname)).catch(() => []);
  if (addresses.length === 0) throw new HostNotFound('the host has no address');
  return addresses;
}

/** Creates the function `connect` of an undici agent. It connects only to public addresses and to `exceptions`. */
export function guardedConnector({ resolve, dial, exceptions }: ConnectOptions): buildConnector.connector {
  const exempt = new Set([...exceptions.origins, ...exceptions.hosts.values()]);
  return (options, callback) => {
    const { protocol, hostname, host = hostname } = options;
    const addresses = exempt.has(`${protocol}//${host}`)
      ? addressesOf(hostname, resolveBySystem)
      : publicAddresses(hostname, resolve);
    addresses.then(
      (checked) => dial(checked)(options, callback),
      (error: unknown) => callback(error instanceof Error ? error : new HostNotFound(String(error)), null),
    );
  };
}

/**
 * Connects to the checked addresses without resolving the host again. If the host is an IP address, `lookup` is not
 * called. The connection then goes to this address, which was checked as well.
 */
export const dialPinned: Dial = (addresses) => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return buildConnector({
    timeout: CONNECT_MS,
    maxCachedSessions: 0,
    allowH2: false,
    lookup: (_, { all: wantsAll }, callback) => {
      const [first] = all;
      if (wantsAll === true) callback(null, all);
      else callback(null, first?.address ?? '', first?.family);
    },
  });
};
