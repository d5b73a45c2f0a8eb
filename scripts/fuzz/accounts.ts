// Accounts of a run, without limits.
import { z } from 'zod';
import type { Credentials, Role } from './case.js';
import type { KnownSecrets } from './secrets.js';

export interface AccountsOptions {
  /** `http://127.0.0.1:…` */
  readonly base: string;
  readonly secrets: KnownSecrets;
  readonly makeUnlimited: (email: string) => Promise<void>;
}

const registered = z.object({ apiKey: z.string(), accessToken: z.string() });

/** Throws when a registration is rejected. */
async function openAccount(role: Role, { base, secrets, makeUnlimited }: AccountsOptions): Promise<Credentials> {
  const [email, password] = [`${role}@fuzz.example`, `pass phrase of ${role} only`];
  const response = await fetch(`${base}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`registration of ${role}: ${response.status} ${text.slice(0, 300)}`);
  const { apiKey: key, accessToken: token } = registered.parse(JSON.parse(text));
  const [session = '', device = ''] = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  // What follows the reference to the account, which is no secret.
  secrets.add(`API key of ${role}`, key.slice(16, -6));
  secrets.add(`access token of ${role}`, token.slice(token.lastIndexOf('.') + 1));
  secrets.add(`session cookie of ${role}`, session.slice(-43));
  secrets.add(`device cookie of ${role}`, device.slice(-43));
  secrets.add(`password of ${role}`, password);
  await makeUnlimited(email);
  return { key, token, session, device };
}

export async function openAccounts(options: AccountsOptions): Promise<Readonly<Record<Role, Credentials>>> {
  return { steady: await openAccount('steady', options), leaver: await openAccount('leaver', options) };
}
