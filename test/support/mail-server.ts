// Mail server that can delay or reject mails, or be unreachable. STARTTLS and sign-in are optional.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Certificate } from './certificate.js';

interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
  /** Name that the client sent with EHLO. */
  readonly clientName: string;
  readonly isEncrypted: boolean;
  /** Name of the signed-in user, or undefined without a sign-in. */
  readonly user: string | undefined;
}

interface Options {
  readonly host?: string;
  readonly certificate?: Certificate;
  /** Password of every user. If undefined, nobody can sign in. */
  readonly password?: string;
}

export interface MailServer {
  readonly url: string;
  /** Accepted mails, with their original source text. */
  readonly received: readonly ReceivedMail[];
  /** For each sign-in attempt: true if the connection was encrypted. */
  readonly signIns: readonly boolean[];
  /** Number of mails that clients have sent, including rejected ones. */
  readonly tries: () => number;
  /** `works`: accepts mails. `rejects`: rejects mails. `holds`: responds only after `mood` has changed. */
  mood: 'works' | 'rejects' | 'holds';
  /** Reply code for every recipient (RCPT). If undefined, the server accepts all recipients. */
  refusal: number | undefined;
  readonly refusals: () => number;
  /** Listens again on the same port, after `down`. */
  up(): Promise<void>;
  down(): Promise<void>;
}

export async function startMailServer(options: Options = {}): Promise<MailServer> {
  const { host = '127.0.0.1' } = options;
  const received: ReceivedMail[] = [];
  const signIns: boolean[] = [];
  let [tries, refusals, port] = [0, 0, 0];
  let server: SMTPServer | undefined;

  async function take(stream: NodeJS.ReadableStream, session: SMTPServerSession): Promise<void> {
    let source = '';
    for await (const chunk of stream) source += String(chunk);
    tries += 1;
    if (it.mood === 'rejects') throw Object.assign(new Error('not today'), { responseCode: 451 });
    while (it.mood === 'holds') await sleep(5);
    const { envelope, hostNameAppearsAs: clientName, secure: isEncrypted } = session;
    const to = envelope.rcptTo.map(({ address }) => address);
    const user: unknown = session.user;
    received.push({ to, source, clientName, isEncrypted, user: typeof user === 'string' ? user : undefined });
  }

  function open(): SMTPServer {
    return new SMTPServer({
      ...securityOf(options),
      logger: false,
      closeTimeout: 50,
      onAuth: ({ username, password }, { secure }, done) => {
        signIns.push(secure);
        done(password === options.password ? null : new Error('wrong password'), { user: username });
      },
      onRcptTo: (_, __, done) => {
        const { refusal: responseCode } = it;
        if (responseCode !== undefined) refusals += 1;
        done(
          responseCode === undefined ? null : Object.assign(new Error('no mail for this address'), { responseCode }),
        );
      },
      onData: (stream, session, done) => {
        take(stream, session).then(
          () => done(),
          (error: unknown) => done(error as Error),
        );
      },
    });
  }

  const it: MailServer = {
    get url() {
      return `smtp://${host}:${port}`;
    },
    ...{ received, signIns },
    tries: () => tries,
    mood: 'works',
    refusal: undefined,
    refusals: () => refusals,
    async up() {
      const opened = open();
      // Ignores errors of connections, because a client that disconnects must not fail the test.
      opened.on('error', () => undefined);
      await new Promise<void>((resolve) => opened.listen(port, host, resolve));
      port = (opened.server.address() as AddressInfo).port;
      server = opened;
    },
    async down() {
      const closing = server;
      server = undefined;
      if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
  };
  await it.up();
  return it;
}

function securityOf({ certificate, password }: Options): SMTPServerOptions {
  const disabledCommands = [...(certificate ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])];
  const files = certificate && { key: readFileSync(certificate.key), cert: readFileSync(certificate.certificate) };
  return { ...files, disabledCommands, authOptional: true, allowInsecureAuth: true };
}
