// Calls of billing. Calls that change something ask for the password at most once in five minutes.
import { sendByCookie } from '../../data/call.js';
import { refetch } from '../../data/client.js';

/** `password` is empty if the user has typed it within the last five minutes. */
export function withPassword(body: object, password: string): object {
  return password === '' ? body : { ...body, currentPassword: password };
}

/**
 * Must be called after the return from a page of the payment provider. Makes the service ask the provider, because the
 * provider may not have reported the change yet.
 */
export async function refreshSubscription(): Promise<void> {
  await sendByCookie('/dashboard/subscription/refresh', {});
  await refetch();
}

/** Opens a page of the payment provider in place of the dashboard. */
export async function openPageOfProvider(page: 'checkout' | 'portal', body: object, password: string): Promise<void> {
  const response = await sendByCookie(`/dashboard/billing/${page}`, withPassword(body, password));
  location.assign(((await response.json()) as { readonly url: string }).url);
}
