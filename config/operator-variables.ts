// Variables about the operators: how people reach them, and which accounts are theirs.
import { z } from 'zod';
import { list } from './shared-schemas.js';

export const OPERATOR_VARIABLES = {
  OPERATOR_CONTACT: {
    schema: z
      .string()
      .refine((text) => text === '' || /^(?:mailto:[^\s@?]+@[^\s@?]+|https:\/\/[^\s/]\S*)$/.test(text), {
        error: 'a mailto: or https:// URL, for example mailto:icons@example.com',
      }),
    default: '',
    meaning:
      'Contact for plans that are not sold online and for failed payments: a `mailto:` or `https://` URL. The dashboard links to this URL. If empty: no link.',
  },
  OPERATOR_EMAILS: {
    schema: list(
      (address) => /^[^\s@]+@[^\s@]+$/.test(address),
      'e-mail addresses, separated by commas, for example ada@example.com',
    ),
    default: '',
    meaning:
      "E-mail addresses of the operators' accounts, separated by commas. An account with one of these addresses, once verified, sees reports about wrong logos in the dashboard. If empty: only `npm run catalog -- reports` lists the reports.",
  },
  SECURITY_CONTACT: {
    schema: list(
      (contact) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*|tel:\+[\d-]+)$/.test(contact),
      'mailto:, https:// or tel: URLs, separated by commas, for example mailto:security@example.com',
    ),
    default: '',
    meaning:
      'Contacts for vulnerability reports, separated by commas, preferred contact first. Published in `/.well-known/security.txt` (RFC 9116). If empty: that file returns 404.',
  },
} as const;
