// A mail server that can hold, reject, and be down.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { secretWatch } from './secret-guard.js';
import { secretsOfMail } from './secret-shapes.js';

export interface MailServer {
  readonly url: string;
  /** Mails that have arrived, as they were sent. */
  readonly received: readonly { readonly to: readonly string[]; readonly source: string }[];
  /** Tries, rejected ones too. */
  readonly tries: () => number;
  /** `holds`: what arrives is answered when the mood is another one. */
  mood: 'works' | 'rejects' | 'holds';
  /** Listens again, on the same port. */
  up(): Promise<void>;
  down(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: { to: string[]; source: string }[] = [];
  let tries = 0;
  let port = 0;
  let server: SMTPServer | undefined;

  async function take(stream: NodeJS.ReadableStream, to: string[]): Promise<void> {
    let source = '';
    for await (const chunk of stream) source += String(chunk);
    tries += 1;
    secretWatch.remember(secretsOfMail(source));
    if (it.mood === 'rejects') throw Object.assign(new Error('not today'), { responseCode: 451 });
    while (it.mood === 'holds') await sleep(5);
    received.push({ to, source });
  }

  const it: MailServer = {
    get url() {
      return `smtp://127.0.0.1:${port}`;
    },
    received,
    tries: () => tries,
    mood: 'works',
    async up() {
      const opened = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        logger: false,
        closeTimeout: 50,
        onData: (stream, session, done) => {
          take(
            stream,
            session.envelope.rcptTo.map(({ address }) => address),
          ).then(
            () => done(),
            (error: unknown) => done(error as Error),
          );
        },
      });
      // A client that is gone is no trouble of the test.
      opened.on('error', () => undefined);
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
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
