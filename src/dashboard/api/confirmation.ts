// Time for which billing pages need no password in this tab. The service decides; this only hides an unnecessary field.

const ITEM = 'blazon-confirmed-until';
/** Less than the service's five minutes, so that the service rarely rejects a request without password, ms. */
const CONFIRMED_MS = 285_000;

export function isConfirmed(): boolean {
  const leftMs = Number(sessionStorage.getItem(ITEM) ?? 0) - Date.now();
  return leftMs > 0 && leftMs <= CONFIRMED_MS;
}

export function noteConfirmed(): void {
  sessionStorage.setItem(ITEM, String(Date.now() + CONFIRMED_MS));
}

export function forgetConfirmed(): void {
  sessionStorage.removeItem(ITEM);
}
