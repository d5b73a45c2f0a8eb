// Mails by SMTP, or, where no mail server is named, as files that a person can open.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../ports/mailer.js';

interface Options {
  /** smtp:// or smtps://; empty: files. */
  readonly smtpUrl: string;
  readonly from: string;
  /** `outbox/` in it takes the files. */
  readonly dataDir: string;
}

/** Longest silence of a mail server that is borne, ms. */
const TIMEOUT_MS = 10_000;

export function mailerOf(options: Options): Mailer {
  return options.smtpUrl === '' ? fileMailer(options) : smtpMailer(options);
}

function message({ id, to, subject, text, html }: Mail, from: string) {
  const domain = from.replace(/^.*@|>$/g, '');
  // Asks other machines not to answer with an out-of-office note (RFC 3834).
  return { from, to, subject, text, html, messageId: `<${id}@${domain}>`, headers: { 'Auto-Submitted': 'auto-generated' } };
}

function smtpMailer({ smtpUrl, from }: Options): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url: smtpUrl, pool: true, ...timeouts });
  return {
    async send(mail) {
      await transport.sendMail(message(mail, from));
    },
    close: () => transport.close(),
  };
}

/** `outbox/<id>.eml`, readable by the owner only, since links in it open the account. */
function fileMailer({ from, dataDir }: Options): Mailer {
  const folder = join(dataDir, 'outbox');
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { message: bytes } = await transport.sendMail(message(mail, from));
      const path = join(folder, `${mail.id}.eml`);
      // The service and a command beside it may write the same mail at the same time.
      const part = `${path}.${randomUUID()}.part`;
      await writeFile(part, bytes as Buffer, { mode: 0o600 });
      await rename(part, path);
    },
    close: () => undefined,
  };
}
