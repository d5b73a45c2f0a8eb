// The address at which people can contact the operator of this deployment.
import { settings } from './settings.js';

/** Returns the address for `href`. Undefined if the operator has named none. `subject` is the subject of a mail. */
export function operatorAddress(subject: string): string | undefined {
  const { operatorContact: contact } = settings;
  if (contact === null) return undefined;
  return contact.startsWith('mailto:') ? `${contact}?subject=${encodeURIComponent(subject)}` : contact;
}
