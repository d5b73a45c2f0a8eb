// Variables of the mail server and of the sender.
import { z } from 'zod';
import { isSmtpUrl, isTlsOff, sendsCredentials } from './urls.js';

export const MAIL_VARIABLES = {
  SMTP_URL: {
    schema: z.string().refine((text) => text === '' || isSmtpUrl(text), {
      error:
        'smtp:// or smtps:// and a host, with user, password and port where needed; signs such as % and @ in a password as %25 and %40; after smtp://, ?tls=off at the end switches TLS off',
    }),
    default: '',
    meaning:
      'Mail server: `smtps://` (TLS from the first byte) or `smtp://` (STARTTLS where the server offers it). With a user and a password, `smtp://` needs STARTTLS unless the host is this machine; `?tls=off` at its end sends everything unencrypted. Without: mails are written as `.eml` files into `DATA_DIR/outbox`.',
    secret: true,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .max(320)
      .refine((text) => text === '' || /^(?:[^<>@,\r\n]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(text), {
        error: 'an address, or Name <address>',
      }),
    default: '',
    meaning: 'Sender of mails. Without: `Blazon <no-reply@…>` at the host of PUBLIC_URL.',
  },
  SMTP_NAME: {
    schema: z
      .string()
      .max(255)
      .regex(/^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f.:]+\]|\[IPv6:[\da-f.:]+\])?$/i, {
        error: 'a host name, or an IP address in brackets, as in mail.example.com or [192.0.2.7]',
      }),
    default: '',
    meaning: 'Name by which the service introduces itself to the mail server (EHLO). Without: the host of PUBLIC_URL.',
  },
} as const;

/** Whether the operator has chosen to send the password of the mail server unencrypted over a network. */
export function isMailPasswordOpen({ SMTP_URL }: { readonly SMTP_URL: string }): boolean {
  return SMTP_URL !== '' && isTlsOff(SMTP_URL) && sendsCredentials(SMTP_URL);
}
