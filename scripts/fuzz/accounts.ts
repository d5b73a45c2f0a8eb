// Accounts of a run: one for each role, replaced when its requests have used it up.
import { z } from 'zod';
import type { Credentials, Role } from './case.js';
import type { KnownSecrets } from './secrets.js';

/** Wrong passwords of one account are limited; a request may hold one. */
const USES_OF_EXPENDABLE = 8;

export interface Account {
  readonly credentials: Credentials;
  uses: number;
  isSpent: boolean;
}

export interface AccountsOptions {
  /** `http://127.0.0.1:…` */
  readonly base: string;
  /** Where the service's pages are, for requests with cookies. */
  readonly origin: string;
  readonly secrets: KnownSecrets;
  /** Lifts the limits of an account. */
  readonly makeUnlimited: (email: string) => Promise<void>;
  readonly onCredentials?: (credentials: Credentials) => void;
}

export interface Accounts {
  /** Of a role whose account lasts. */
  of(role: Exclude<Role, 'expendable'>): Account;
  /** An account to be given back after its request. */
  takeExpendable(): Promise<Account>;
  giveBack(account: Account): void;
}

const registered = z.object({ apiKey: z.string(), accessToken: z.string() });
const renewed = z.object({ apiKey: z.string() });

async function post(base: string, path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(
      `POST ${path} of a run's own account was answered ${response.status}: ${(await response.text()).slice(0, 300)}`,
    );
  return response;
}

export async function openAccounts({
  base,
  origin,
  secrets,
  makeUnlimited,
  onCredentials,
}: AccountsOptions): Promise<Accounts> {
  let created = 0;

  async function register(role: Role): Promise<Account> {
    created += 1;
    const email = `${role}-${created}@fuzz.example`;
    const password = `pass phrase ${created} of ${role} only`;
    // Registrations are limited by address.
    const client = { 'X-Forwarded-For': `192.0.${(created >> 8) & 255}.${created & 255}` };
    const response = await post(base, '/auth/register', { email, password }, client);
    const { apiKey, accessToken } = registered.parse(await response.json());
    const [session = '', device = ''] = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    const credentials = { key: apiKey, token: accessToken, session, device, password, email };
    remember(credentials, role);
    onCredentials?.(credentials);
    return { credentials, uses: 0, isSpent: false };
  }

  function remember({ key, token, session, device, password }: Credentials, role: Role): void {
    // What follows the reference to the account, which is no secret.
    secrets.add(`API key of ${role}`, key.slice(16, -6));
    secrets.add(`access token of ${role}`, token.slice(token.lastIndexOf('.') + 1));
    secrets.add(`session cookie of ${role}`, session.slice(-43));
    secrets.add(`device cookie of ${role}`, device.slice(-43));
    secrets.add(`password of ${role}`, password);
  }

  /** Credentials that were good once. */
  async function registerEnded(): Promise<Account> {
    const account = await register('ended');
    const { token, session, password } = account.credentials;
    const bearer = { Authorization: `Bearer ${token}` };
    const { apiKey } = renewed.parse(
      await (await post(base, '/auth/regenerate-key', { currentPassword: password }, bearer)).json(),
    );
    secrets.add('API key of ended, renewed', apiKey.slice(16, -6));
    await post(base, '/auth/logout', {}, { Cookie: session, Origin: origin });
    return account;
  }

  const lasting = {
    steady: await register('steady'),
    free: await register('free'),
    leaver: await register('leaver'),
    ended: await registerEnded(),
  };
  await makeUnlimited(lasting.steady.credentials.email);
  await makeUnlimited(lasting.leaver.credentials.email);
  const expendable: Account[] = [];

  return {
    of: (role) => lasting[role],
    async takeExpendable() {
      return expendable.pop() ?? register('expendable');
    },
    giveBack(account) {
      account.uses += 1;
      if (!account.isSpent && account.uses < USES_OF_EXPENDABLE) expendable.push(account);
    },
  };
}
