// Remembers, for this tab, that the user has just entered the password. Billing pages then show no password field. The
// service itself decides whether the password is necessary.

const ITEM = 'blazon-confirmed-until';
/**
 * Time in ms for which billing pages show no password field after the user has entered the password. The service
 * accepts requests without a password for five minutes. This time is shorter, so that the service rarely rejects such
 * requests.
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
