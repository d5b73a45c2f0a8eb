// Time for which billing pages show no password field in this tab. The service decides whether the password is
// necessary.

const ITEM = 'blazon-confirmed-until';
/**
 * Time in ms after a confirmation by password for which billing pages show no password field. It is slightly less than
 * the service's five minutes, so that the service rarely rejects a request without a password.
 */
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
