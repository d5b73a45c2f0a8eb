// Mailers: send by SMTP, or write files that a person can open if no mail server is configured.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { withAsciiDomain } from './ascii-domain.js';
import { messageOf } from '../errors.js';
import type { Delivery, Mail, Mailer } from './mailer.js';

/** Mail server and how to connect to it. */
export interface SmtpServer {
  /** `smtp://` or `smtps://` URL. */
  readonly url: string;
  /** Argument of EHLO. */
  readonly name: string;
  /**
   * `off`: never. `required`: connections without STARTTLS are closed. `offered`: STARTTLS if the server supports it.
   */
  readonly tls: 'off' | 'required' | 'offered';
}

interface Options {
  /** Mail server; undefined to write files. */
  readonly smtp: SmtpServer | undefined;
  readonly from: string;
  /** Data folder. The files are in its `outbox/`. */
  readonly dataDir: string;
}

/** Longest silence in ms of a mail server before the connection is closed. */
const TIMEOUT_MS = 10_000;

const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

const MAX_LINE = 998;

/** Name of an incomplete mail file. */
const PART = /\.eml\.[0-9a-f-]{36}\.part$/;

/**
 * Removes incomplete files of killed processes in `outbox/`. Only the service calls this, when it starts. A command
 * beside it may lose a mail that it is writing; it then fails and the mail is sent again.
 */
export function removeUnfinishedMails(dataDir: string): void {
  const folder = outboxOf(dataDir);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (PART.test(name)) rmSync(join(folder, name), { force: true });
}

function outboxOf(dataDir: string): string {
  return join(dataDir, 'outbox');
}

export function openMailer(options: Options): Mailer {
  return options.smtp ? smtpMailer(options.smtp, options.from) : fileMailer(options);
}

function message({ id, to, subject, text, html, unsubscribe }: Mail, from: string) {
  const sender = withAsciiDomain(from.replace(/^[^<]*<|>$/g, ''));
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  // Suppresses automatic replies such as out-of-office notes (RFC 3834).
  return {
    from,
    // Given as text, an address such as `=?utf-8?q?a?=@example.com` would be decoded.
    to: { name: '', address: to },
    subject,
    text: asciiPart(text) ?? text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        // Prepared values are not folded: a mail client needs the URL in one piece.
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/**
 * Returns the part without an encoding, so that a long link can be copied from a terminal: quoted-printable would break
 * it. Returns undefined if that is not allowed: without an encoding, text must be ASCII with lines of at most 998 bytes
 * (RFC 5322, section 2.1.1).
 */
function asciiPart(text: string): { readonly raw: string } | undefined {
  const lines = text.split('\n');
  if (!/^[\n\x20-\x7e]*$/.test(text) || lines.some((line) => line.length > MAX_LINE)) return undefined;
  return {
    raw:
      'Content-Type: text/plain; charset=utf-8\r\n' +
      `Content-Transfer-Encoding: 7bit\r\n\r\n${lines.map(wrapped).join('\r\n')}`,
  };
}

/** Breaks lines longer than 78 characters at spaces. */
function wrapped(line: string): string {
  return line.replaceAll(/(.{1,78})(?: |$)/g, '$1\r\n').trimEnd();
}

function smtpMailer(smtp: SmtpServer, from: string): Mailer {
  const transport = createTransport({ ...transportOptions(smtp), pool: true });
  return {
    async send(mail) {
      try {
        await transport.sendMail(message(mail, from));
        return ACCEPTED;
      } catch (error) {
        const reply = permanentRefusal(error);
        if (reply === undefined) throw explained(error, smtp);
        return { accepted: false, reply };
      }
    },
    forget: () => Promise.resolve(),
    close: () => transport.close(),
  };
}

const ACCEPTED: Delivery = { accepted: true };

/** Returns the options. The URL itself is not passed on, because nodemailer accepts any of its options in the query. */
function transportOptions({ url, name, tls }: SmtpServer) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    ...(username + password !== '' && { auth }),
    secure: protocol === 'smtps:',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    name,
    ...TIMEOUTS,
  };
}

/** Returns the server's reply if it will never accept this recipient, or undefined if another attempt may help. */
function permanentRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error && 'command' in error && 'response' in error && 'responseCode' in error))
    return undefined;
  const { command, response, responseCode } = error;
  // Rejections of other commands concern this service: its password, its sender, its name.
  return command === 'RCPT TO' && isPermanent(responseCode) ? String(response) : undefined;
}

/**
 * Returns true for a permanent error. 503 concerns the order of commands (RFC 5321, section 4.2.3), so a new connection
 * may help.
 */
function isPermanent(responseCode: unknown): boolean {
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503;
}

/** Adds advice if encryption failed. */
function explained(error: unknown, { tls }: SmtpServer): unknown {
  if (tls === 'off' || !(error instanceof Error && 'code' in error && error.code === 'ETLS')) return error;
  return new Error(
    `${error.message}; the mail server needs STARTTLS and a valid certificate. To send everything unencrypted, ` +
      'append ?tls=off to SMTP_URL',
    { cause: error },
  );
}

/**
 * Connects, and signs in if a user is configured, but sends nothing. Returns undefined if the mail server can be used.
 */
export async function mailServerFault(smtp: SmtpServer): Promise<string | undefined> {
  const transport = createTransport(transportOptions(smtp));
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return messageOf(explained(error, smtp));
  } finally {
    transport.close();
  }
}

/**
 * Writes `outbox/<account>.<id>.eml`, or `<id>.eml` for a mail without an account. Only the owner can read the files,
 * since their links give access to accounts.
 */
function fileMailer({ from, dataDir }: Options): Mailer {
  const folder = outboxOf(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { message: bytes } = await transport.sendMail(message(mail, from));
      const name = mail.account === undefined ? mail.id : `${mail.account}.${mail.id}`;
      const path = join(folder, `${name}.eml`);
      // The service and a command beside it may write the same mail at the same time.
      const part = `${path}.${randomUUID()}.part`;
      try {
        await writeFile(part, bytes as Buffer, { mode: 0o600 });
        await rename(part, path);
        return ACCEPTED;
      } catch (error) {
        // On a full disk, the file would stay, and the next attempt would leave another one.
        await rm(part, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    async forget(account) {
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names.filter((one) => one.startsWith(`${account}.`)))
        await rm(join(folder, name), { force: true });
    },
    close: () => undefined,
  };
}
