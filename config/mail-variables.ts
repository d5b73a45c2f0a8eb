// Variables of the mail server and of the sender of mails.
import { z } from 'zod';
import { isSmtpUrl, isTlsOff, sendsCredentials } from './urls.js';

export const MAIL_VARIABLES = {
  SMTP_URL: {
    schema: z.string().refine((text) => text === '' || isSmtpUrl(text), {
      error:
        'smtp:// or smtps:// and a host, with an optional user, password and port. Encode % and @ in a password ' +
        'as %25 and %40. Append ?tls=off to a smtp:// URL to disable TLS.',
    }),
    default: '',
    meaning:
      'URL of the mail server: `smtps://` (TLS) or `smtp://` (STARTTLS if the server offers it). With a user and ' +
      'a password, `smtp://` requires STARTTLS unless the server runs on this machine. `?tls=off` sends ' +
      'everything unencrypted. If empty: mail is written as `.eml` files to `DATA_DIR/outbox`.',
    secret: true,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .max(320)
      .refine((text) => text === '' || /^(?:[^<>@,\r\n]*<[^\s@<>,]+@[^\s@<>,]+>|[^\s@<>,]+@[^\s@<>,]+)$/.test(text), {
        error: 'an e-mail address, or Name <address>',
      }),
    default: '',
    meaning: 'Sender of mail. If empty: `Blazon <no-reply@…>` with the host of PUBLIC_URL.',
  },
  SMTP_NAME: {
    schema: z
      .string()
      .max(255)
      .regex(/^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f.:]+\]|\[IPv6:[\da-f.:]+\])?$/i, {
        error: 'a host name, or an IP address in brackets, for example mail.example.com or [192.0.2.7]',
      }),
    default: '',
    meaning: 'Host name that the service sends to the mail server in EHLO. If empty: the host of PUBLIC_URL.',
  },
} as const;

/** Returns true if `?tls=off` makes the service send the password of the mail server unencrypted over a network. */
export function isMailPasswordOpen({ SMTP_URL }: { readonly SMTP_URL: string }): boolean {
  return SMTP_URL !== '' && isTlsOff(SMTP_URL) && sendsCredentials(SMTP_URL);
}
