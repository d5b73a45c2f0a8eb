// SMTP: the name in EHLO, encryption of passwords, and rejected recipients.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readEnv } from '../../../config/env.js';
import { mailServerOf } from '../../../src/platform/mail/mail-server.js';
import { makeCertificate, type Certificate } from '../../support/certificate.js';
import { startMailServer, type MailServer } from '../../support/mail-server.js';

const MAILER = new URL('../../../src/platform/mail/mailers.js', import.meta.url).href;
const PASSWORD = 'a password of the mail server';
const run = promisify(execFile);

type Outcome = { readonly accepted: boolean; readonly reply?: string } | { readonly error: string };

/** Sends a mail from a separate process that trusts the certificate. */
async function send(variables: Record<string, string>, trusted?: Certificate): Promise<Outcome> {
  const smtp = mailServerOf(readEnv({ PUBLIC_URL: 'https://icons.example', ...variables }, '0'));
  const script = `
    const { openMailer } = await import(${JSON.stringify(MAILER)});
    const mailer = openMailer({ smtp: ${JSON.stringify(smtp)}, from: 'a@example.com', dataDir: '.' });
    const mail = { id: 'm1', to: 'ada@example.com', subject: 'Hello', text: 'text', html: '<p>text</p>' };
    const outcome = await mailer.send(mail).catch((error) => ({ error: error.message }));
    mailer.close();
    process.stdout.write(JSON.stringify(outcome));
  `;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted?.certificate ?? '' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
  return JSON.parse(stdout) as Outcome;
}

const signedIn = ({ url }: MailServer, host?: string): string => {
  const address = new URL(url.replace('//', `//ada:${encodeURIComponent(PASSWORD)}@`));
  if (host !== undefined) address.hostname = host;
  return address.href;
};

describe('mails by SMTP, encryption and names', () => {
  let server: MailServer | undefined;
  let certificate: Certificate | undefined;
  before(function () {
    // On Linux, all addresses of 127.0.0.0/8 are this machine. 127.0.0.2 acts as another machine.
    if (process.platform !== 'linux') this.skip();
    certificate = makeCertificate();
    if (!certificate) this.skip();
  });
  after(() => certificate?.remove());
  afterEach(async () => server?.down());

  for (const [settings, name] of [
    [{}, 'icons.example'],
    [{ PUBLIC_URL: 'https://bücher.example:8443' }, 'xn--bcher-kva.example'],
    [{ PUBLIC_URL: 'https://192.0.2.7' }, '[192.0.2.7]'],
    [{ PUBLIC_URL: 'https://[2001:db8::7]' }, '[IPv6:2001:db8::7]'],
    [{ SMTP_NAME: 'out.example' }, 'out.example'],
  ] as const) {
    it(`introduces itself with ${name} for ${JSON.stringify(settings)}`, async () => {
      server = await startMailServer();
      expect(await send({ SMTP_URL: server.url, ...settings })).to.deep.equal({ accepted: true });
      // The mail server of the test lowercases host names.
      expect(server.received.map(({ clientName }) => clientName)).to.deep.equal([name.toLowerCase()]);
    });
  }

  it('sends no password to another machine without STARTTLS, and explains what to do', async () => {
    server = await startMailServer({ host: '127.0.0.2', password: PASSWORD });
    const outcome = await send({ SMTP_URL: signedIn(server) });
    expect(outcome).to.have.property('error').that.includes('STARTTLS').and.includes('?tls=off');
    expect([server.signIns, server.received]).to.deep.equal([[], []]);
  });

  it('sends the password by STARTTLS, to a server with a valid certificate only', async () => {
    server = await startMailServer({ host: '127.0.0.2', password: PASSWORD, certificate: certificate! });
    const untrusted = await send({ SMTP_URL: signedIn(server) });
    expect(untrusted).to.have.property('error').that.includes('certificate');
    expect([server.signIns, server.received]).to.deep.equal([[], []]);
    expect(await send({ SMTP_URL: signedIn(server) }, certificate)).to.deep.equal({ accepted: true });
    expect(server.signIns).to.deep.equal([true]);
    expect(server.received[0]).to.include({ isEncrypted: true, user: 'ada', clientName: 'icons.example' });
  });

  it('sends everything unencrypted with ?tls=off, even if the server offers STARTTLS', async () => {
    server = await startMailServer({ host: '127.0.0.2', password: PASSWORD, certificate: certificate! });
    expect(await send({ SMTP_URL: `${signedIn(server)}?tls=off` })).to.deep.equal({ accepted: true });
    expect(server.signIns).to.deep.equal([false]);
    expect(server.received[0]).to.include({ isEncrypted: false, user: 'ada' });
  });

  it('requires no STARTTLS on this machine or without a password', async () => {
    server = await startMailServer({ host: '0.0.0.0', password: PASSWORD });
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST'])
      expect(await send({ SMTP_URL: signedIn(server, host) }), host).to.deep.equal({ accepted: true });
    const { port } = new URL(server.url);
    expect(await send({ SMTP_URL: `smtp://127.0.0.2:${port}` })).to.deep.equal({ accepted: true });
    expect(server.received.map(({ user }) => user)).to.deep.equal(['ada', 'ada', 'ada', undefined]);
  });

  it('uses STARTTLS if it is offered, even without a password', async () => {
    server = await startMailServer({ host: '127.0.0.2', certificate: certificate! });
    expect(await send({ SMTP_URL: server.url }, certificate)).to.deep.equal({ accepted: true });
    expect(server.received[0]).to.include({ isEncrypted: true, user: undefined });
  });

  it('distinguishes a rejected recipient from a server that may accept the mail later', async () => {
    server = await startMailServer();
    for (const code of [550, 553, 521]) {
      server.refusal = code;
      const outcome = await send({ SMTP_URL: server.url });
      expect(outcome).to.deep.equal({ accepted: false, reply: `${code} no mail for this address` });
    }
    for (const code of [421, 450, 452, 503]) {
      server.refusal = code;
      expect(await send({ SMTP_URL: server.url }), String(code)).to.have.property('error');
    }
  });

  it('reports a wrong password as an error of the settings, not of the recipient', async () => {
    server = await startMailServer({ password: 'another password of the mail server' });
    expect(await send({ SMTP_URL: signedIn(server) })).to.have.property('error');
  });
});
