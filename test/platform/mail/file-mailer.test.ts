// Files of mails: each file is complete, or does not exist.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import type { AccountId } from '../../../src/accounts/account.js';
import { openMailer, removeUnfinishedMails } from '../../../src/platform/mail/mailers.js';
import { temporaryDir } from '../../support/temporary.js';

const MAILER = new URL('../../../src/platform/mail/mailers.js', import.meta.url).href;

describe('mails as files', () => {
  let dataDir: string;
  let outbox: string;
  let remove: () => void;
  beforeEach(() => {
    ({ path: dataDir, remove } = temporaryDir());
    outbox = join(dataDir, 'outbox');
    mkdirSync(outbox);
  });
  afterEach(() => remove());

  const mail = { id: 'm1', to: 'ada@example.com', subject: 'Hello', text: 'text '.repeat(1000), html: '<p>text</p>' };

  async function written(text: string): Promise<string> {
    const mailer = openMailer({ smtp: undefined, from: 'a@example.com', dataDir });
    await mailer.send({ ...mail, text });
    mailer.close();
    return readFileSync(join(outbox, 'm1.eml'), 'utf8');
  }

  it('are readable by their owner only', async () => {
    rmSync(outbox, { recursive: true });
    await written('text');
    expect(statSync(outbox).mode & 0o777).to.equal(0o700);
    expect(statSync(join(outbox, 'm1.eml')).mode & 0o777).to.equal(0o600);
  });

  it('keep a long link on one line, and wrap other lines at 78 characters', async () => {
    const link = `https://icons.example/reset-password#token=${'Ab3='.repeat(20)}`;
    const [, textPart = ''] = (await written(`${'words '.repeat(40)}\n\n${link}\n`)).split(/^--.*$/m);
    const lines = textPart.split('\r\n');
    expect(lines).to.include(link);
    for (const line of lines.filter((each) => each !== link)) expect(line.length).to.be.at.most(78);
    expect(textPart.match(/words/g)).to.have.length(40);
  });

  it('are encoded if they are not ASCII or a line is too long', async () => {
    for (const text of ['Grüße', 'x'.repeat(999)])
      expect((await written(text)).split(/^--.*$/m)[1]).to.match(
        /Content-Transfer-Encoding: (quoted-printable|base64)/,
      );
  });

  it('name an ASCII host in their Message-ID, for senders in any script', async () => {
    for (const from of ['Blazon <a@bücher.example>', 'a@bücher.example']) {
      const mailer = openMailer({ smtp: undefined, from, dataDir });
      await mailer.send(mail);
      mailer.close();
      expect(readFileSync(join(outbox, 'm1.eml'), 'utf8')).to.include('\r\nMessage-ID: <m1@xn--bcher-kva.example>\r\n');
    }
  });

  it('are reported with their absolute path', async () => {
    const paths: string[] = [];
    const mailer = openMailer({
      ...{ smtp: undefined, from: 'a@example.com', dataDir: relative(process.cwd(), dataDir) },
      onFile: (path) => paths.push(path),
    });
    await mailer.send(mail);
    mailer.close();
    expect(paths).to.deep.equal([join(outbox, 'm1.eml')]);
  });

  it('are removed with their account, and no others', async () => {
    const mailer = openMailer({ smtp: undefined, from: 'a@example.com', dataDir });
    const [account, other] = ['abcdefabcdef', 'abcdefabcdeg'] as AccountId[];
    await mailer.send({ ...mail, account: account! });
    await mailer.send({ ...mail, account: other! });
    await mailer.send(mail);
    await mailer.forget(account!);
    expect(readdirSync(outbox).sort()).to.deep.equal([`${other}.m1.eml`, 'm1.eml']);
    rmSync(outbox, { recursive: true });
    await mailer.forget(account!);
    mailer.close();
  });

  it('leave no file when the last step fails', async () => {
    mkdirSync(join(outbox, 'm1.eml'));
    const mailer = openMailer({ smtp: undefined, from: 'a@example.com', dataDir });
    const outcome = await mailer.send(mail).then(
      () => 'sent',
      () => 'failed',
    );
    expect([outcome, readdirSync(outbox)]).to.deep.equal(['failed', ['m1.eml']]);
    mailer.close();
  });

  it('leave no file on a full disk', function () {
    if (process.platform === 'win32') this.skip();
    // Limits the size of files to one block, so that writing the mail fails after a part of it.
    const script = `
      const { openMailer } = await import(${JSON.stringify(MAILER)});
      const mailer = openMailer({ smtp: undefined, from: 'a@example.com', dataDir: ${JSON.stringify(dataDir)} });
      await mailer.send(${JSON.stringify(mail)}).then(() => process.exit(0), (error) => { process.stdout.write(String(error.code)); process.exit(7); });
    `;
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }, stderr).to.deep.equal({ status: 7, stdout: 'EFBIG' });
    expect(readdirSync(outbox)).to.deep.equal([]);
  });

  it('are removed when the service starts, if a killed process left them', async () => {
    const part = 'm2.eml.123e4567-e89b-42d3-a456-426614174000.part';
    for (const name of [part, 'mine.part', 'm3.eml']) writeFileSync(join(outbox, name), 'half a mail');
    removeUnfinishedMails(dataDir);
    expect(readdirSync(outbox)).to.have.members(['mine.part', 'm3.eml']);
    removeUnfinishedMails(join(dataDir, 'new'));
    const mailer = openMailer({ smtp: undefined, from: 'a@example.com', dataDir });
    await mailer.send(mail);
    expect(readFileSync(join(outbox, 'm1.eml'), 'utf8')).to.include('Subject: Hello');
    mailer.close();
  });
});
