// Calls of billing, which take the password once in five minutes.
import { sendByCookie } from '../../data/call.js';

/** `password`: empty where it was given a moment ago. */
export function withPassword(body: object, password: string): object {
  return password === '' ? body : { ...body, currentPassword: password };
}

/** Leaves the dashboard. */
export async function openPageOfProvider(page: 'checkout' | 'portal', body: object, password: string): Promise<void> {
  const response = await sendByCookie(`/dashboard/billing/${page}`, withPassword(body, password));
  location.assign(((await response.json()) as { readonly url: string }).url);
}
