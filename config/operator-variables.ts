// Variables about the operators: how people reach them, and which accounts are theirs.
import { z } from 'zod';
import { list } from './shared-schemas.js';

export const OPERATOR_VARIABLES = {
  OPERATOR_CONTACT: {
    schema: z
      .string()
      .refine((text) => text === '' || /^(?:mailto:[^\s@?]+@[^\s@?]+|https:\/\/[^\s/]\S*)$/.test(text), {
        error: 'a mailto: or https:// address, as in mailto:icons@example.com',
      }),
    default: '',
    meaning:
      'Contact for plans that are not sold online and for rejected payments: a `mailto:` or `https://` URL. The dashboard links to it. If empty: no link.',
  },
  OPERATOR_EMAILS: {
    schema: list(
      (address) => /^[^\s@]+@[^\s@]+$/.test(address),
      'e-mail addresses, separated by commas, as in ada@example.com',
    ),
    default: '',
    meaning:
      "E-mail addresses of the operators' accounts, comma separated. Once its address is verified, such an account sees reports about wrong logos in the dashboard. If empty: `npm run catalog -- reports` lists them.",
  },
  SECURITY_CONTACT: {
    schema: list(
      (contact) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*|tel:\+[\d-]+)$/.test(contact),
      'mailto:, https:// or tel: addresses, separated by commas, as in mailto:security@example.com',
    ),
    default: '',
    meaning:
      'Contact for vulnerability reports, published in `/.well-known/security.txt` (RFC 9116). Comma separated, preferred contact first. If empty: that file is a 404.',
  },
} as const;
