// The address by which people reach the operator of this deployment.
import { settings } from './settings.js';

/** For `href`; undefined: the operator has named none. `subject`: that of a mail. */
export function operatorAddress(subject: string): string | undefined {
  const { operatorContact: contact } = settings;
  if (contact === null) return undefined;
  return contact.startsWith('mailto:') ? `${contact}?subject=${encodeURIComponent(subject)}` : contact;
}
