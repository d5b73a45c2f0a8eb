// Mailers. One sends mails by SMTP. If no mail server is configured, the other writes files that a person can open.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import { withAsciiDomain } from './ascii-domain.js';
import { messageOf } from '../errors.js';
import type { Delivery, Mail, Mailer } from './mailer.js';

export interface SmtpServer {
  /** `smtp://` or `smtps://` URL. */
  readonly url: string;
  /** Host name that the service sends in the command EHLO. */
  readonly name: string;
  /**
   * Use of STARTTLS. `off`: never. `required`: a connection is closed if the server does not support it. `offered`:
   * used if the server supports it.
   */
  readonly tls: 'off' | 'required' | 'offered';
}

interface Options {
  /** Mail server; undefined to write mails to files. */
  readonly smtp: SmtpServer | undefined;
  readonly from: string;
  /** Data folder. Mail files are written to its subfolder `outbox/`. */
  readonly dataDir: string;
  /** Called with the absolute path of each mail file. */
  readonly onFile?: ((path: string) => void) | undefined;
}

/** Time limit in ms. If the mail server sends no byte for this time, the connection is closed. */
const TIMEOUT_MS = 10_000;

const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

const MAX_LINE = 998;

/** Matches the names of incomplete mail files. */
const PART = /\.eml\.[0-9a-f-]{36}\.part$/;

/**
 * Deletes incomplete mail files, left by processes that were killed. Called only when the service starts. If a CLI
 * command is writing a mail file at that moment, the command fails to write it, and the mail is sent again later.
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
  return {
    from,
    // The recipient is an object. If it were text, nodemailer would decode an address such as
    // `=?utf-8?q?a?=@example.com`.
    to: { name: '', address: to },
    subject,
    text: asciiPart(text) ?? text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: {
      // Prevents automatic replies, such as out-of-office notes (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        // A prepared value is not split into several lines, because mail clients need the whole URL in one line.
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/**
 * Returns the text part without an encoding, because quoted-printable would break long links that people copy from a
 * terminal. Returns undefined if an encoding is required: the text is not ASCII, or has a line of more than 998 bytes
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

/** Wraps lines longer than 78 characters at spaces. */
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

/**
 * Returns nodemailer's options. They don't contain the URL, because the query of the URL could set any option of
 * nodemailer.
 */
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

/**
 * Returns the server's message if it rejects this recipient permanently. Returns undefined if another attempt may
 * succeed.
 */
function permanentRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error && 'command' in error && 'response' in error && 'responseCode' in error))
    return undefined;
  const { command, response, responseCode } = error;
  // Rejections of other commands concern this service: its password, sender address or host name.
  return command === 'RCPT TO' && isPermanent(responseCode) ? String(response) : undefined;
}

/**
 * Returns true if the reply code means a permanent error. 503 is an exception. It means a wrong order of commands (RFC
 * 5321, section 4.2.3), so a new connection may succeed.
 */
function isPermanent(responseCode: unknown): boolean {
  return typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 503;
}

function explained(error: unknown, { tls }: SmtpServer): unknown {
  if (tls === 'off' || !(error instanceof Error && 'code' in error && error.code === 'ETLS')) return error;
  return new Error(
    `${error.message}; the mail server needs STARTTLS and a valid certificate. To send everything unencrypted, ` +
      'append ?tls=off to SMTP_URL',
    { cause: error },
  );
}

/**
 * Connects to the mail server, and signs in if a user is configured. Sends no mail. Returns the problem, or undefined
 * if the mail server can be used.
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
 * Creates a mailer that writes `outbox/<account>.<id>.eml`, or `outbox/<id>.eml` for a mail without an account. Only
 * the owner of the files can read them, because their links give access to accounts.
 */
function fileMailer({ from, dataDir, onFile }: Options): Mailer {
  const folder = outboxOf(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { message: bytes } = await transport.sendMail(message(mail, from));
      const name = mail.account === undefined ? mail.id : `${mail.account}.${mail.id}`;
      const path = join(folder, `${name}.eml`);
      // The file name is random, because the service and a command may write the same mail at the same time.
      const part = `${path}.${randomUUID()}.part`;
      try {
        await writeFile(part, bytes as Buffer, { mode: 0o600 });
        await rename(part, path);
        onFile?.(resolve(path));
        return ACCEPTED;
      } catch (error) {
        // Without this deletion, each attempt on a full disk would leave another file.
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
