// Page that follows a sign-in: the one that asked for it, if it is of this service.

/** `search`: of the address of the sign-in page. */
export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  // `//host` and `/\host` are other origins.
  return /^\/[\w-]/.test(next) ? next : '/overview';
}
