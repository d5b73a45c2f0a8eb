// A self-signed certificate for servers on this machine.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryDir } from './temporary.js';

export interface Certificate {
  /** Path of the private key, a PEM file. */
  readonly key: string;
  readonly certificate: string;
  readonly remove: () => void;
}

/** Makes a certificate for `localhost`, 127.0.0.1 and 127.0.0.2. Returns undefined if `openssl` is missing. */
export function makeCertificate(): Certificate | undefined {
  const { path, remove } = temporaryDir();
  const [key, certificate] = [join(path, 'key.pem'), join(path, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const hosts = 'DNS:localhost,IP:127.0.0.1,IP:127.0.0.2';
  const names = ['-subj', '/CN=Server of the tests', '-addext', `subjectAltName=${hosts}`];
  try {
    execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    return { key, certificate, remove };
  } catch (error) {
    remove();
    if (process.env.CI === 'true' || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
