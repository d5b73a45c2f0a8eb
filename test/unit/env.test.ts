// Configuration: wrong values are named, with what is allowed.
import { expect } from 'chai';
import { readEnv, VARIABLES } from '../../config/env.js';
import { ConfigError } from '../../config/refusal.js';

describe('configuration', () => {
  it('has a default for every variable', () => {
    const env = readEnv({}, '1.2.3');
    expect(env.PORT).to.equal(3000);
    expect(env.PUBLIC_URL).to.equal('http://localhost:3000');
    expect(env.VERSION).to.equal('1.2.3');
    for (const name of Object.keys(VARIABLES)) expect(env).to.have.property(name).that.is.not.undefined;
  });

  it('takes PUBLIC_URL from the port, and an empty variable as none', () => {
    expect(readEnv({ PORT: '8080', HOST: '' }, '0')).to.include({ PUBLIC_URL: 'http://localhost:8080', HOST: '127.0.0.1' });
  });

  const wrong: Readonly<Record<string, readonly string[]>> = {
    PORT: ['abc', '65536', '-1', '3e3', ' 80'],
    PUBLIC_URL: ['icons.example', 'http://icons.example', 'ftp://x', 'https://x/path', 'https://x?q', 'https://u:p@x'],
    REGISTRATION: ['yes', 'OPEN'],
    TRUST_PROXY: ['true', '11'],
    RENDER_THREADS: ['0', '65'],
    RENDER_QUEUE: ['0'],
    RENDER_TIMEOUT_MS: ['49', '1e9'],
    RENDER_CACHE_MB: ['0'],
    LOG_LEVEL: ['verbose'],
    JWT_SECRET: ['topsecret', `${'x'.repeat(32)},topsecret`],
    SMTP_URL: ['smtp://u:topsecret@host:abc', 'smtp://user:topsecret@', 'smtp://user:top%secret@host:25', 'http://user:topsecret@host', 'host:25'],
    MAIL_FROM: ['a@b.example, c@d.example', 'nobody', 'A <a@b.example', 'a@b.example\nBcc: c@d.example'],
    MONGODB_URI: ['mongodb://x'],
    REDIS_URL: ['redis://x'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    it(`refuses a wrong ${name} by name, with what was given`, () => {
      for (const value of values) {
        expect(() => readEnv({ [name]: value }, '0'), value).to.throw(ConfigError, new RegExp(`^${name}: .+; .+`));
        try {
          readEnv({ [name]: value }, '0');
        } catch (error) {
          expect((error as Error).message).to.not.include('\n').and.not.include('topsecret').and.not.include('top%secret');
        }
      }
    });
  }
});
