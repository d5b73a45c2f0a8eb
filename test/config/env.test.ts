// Configuration: errors name the wrong value and the allowed values.
import { expect } from 'chai';
import { environmentWarnings, isCluster, readEnv, VARIABLES } from '../../config/env.js';
import { ConfigError } from '../../config/config-error.js';

describe('configuration', () => {
  it('has a default for every variable', () => {
    const env = readEnv({}, '1.2.3');
    expect(env.PORT).to.equal(3000);
    expect(env.PUBLIC_URL).to.equal('http://localhost:3000');
    expect(env.VERSION).to.equal('1.2.3');
    for (const name of Object.keys(VARIABLES)) expect(env).to.have.property(name).that.is.not.undefined;
  });

  it('derives PUBLIC_URL from the port, and treats an empty variable as unset', () => {
    expect(readEnv({ PORT: '8080', HOST: '' }, '0')).to.include({
      PUBLIC_URL: 'http://localhost:8080',
      HOST: '127.0.0.1',
    });
  });

  it('accepts a PUBLIC_URL of plain http on any host with INSECURE_HTTP=1, and warns', () => {
    const env = readEnv({ PUBLIC_URL: 'http://icons.intranet:8080', INSECURE_HTTP: '1' }, '0');
    expect(env.PUBLIC_URL).to.equal('http://icons.intranet:8080');
    expect(environmentWarnings(env, [])).to.have.length(1).with.nested.property('[0]').that.includes('INSECURE_HTTP');
    expect(environmentWarnings(readEnv({ INSECURE_HTTP: '1' }, '0'), [])).to.deep.equal([]);
  });

  it('names the allowed values for a PUBLIC_URL with a path or on plain http', () => {
    expect(() => readEnv({ PUBLIC_URL: 'https://x/icons' }, '0')).to.throw(/Path prefixes are not supported/);
    expect(() => readEnv({ PUBLIC_URL: 'http://icons.intranet' }, '0')).to.throw(/INSECURE_HTTP=1/);
  });

  it('warns of a variable that is a typing error of a known one, and of no other', () => {
    const env = readEnv({}, '0');
    const meant: Readonly<Record<string, string>> = {
      DATADIR: 'DATA_DIR',
      SMTP_URI: 'SMTP_URL',
      RENDER_THREAD: 'RENDER_THREADS',
      PUBLIC_URI: 'PUBLIC_URL',
      BLAZON_DATA_DIR: 'DATA_DIR',
      Log_Level: 'LOG_LEVEL',
      JWT_SECRETS: 'JWT_SECRET',
    };
    const usual = [
      'PATH',
      'HOME',
      'USER',
      'PWD',
      'SHELL',
      'LANG',
      'HOSTNAME',
      'MAIL',
      'TERM',
      'NODE_ENV',
      'PORTS',
      'BLAZON_PORT',
      'POST',
      'XDG_DATA_DIRS',
      'npm_config_loglevel',
      'NODE_OPTIONS',
      'DATABASE_URL',
      'HTTP_PROXY',
      'INIT_CWD',
    ];
    expect(environmentWarnings(env, [...Object.keys(meant), ...usual, ...Object.keys(VARIABLES)])).to.deep.equal(
      Object.entries(meant).map(([name, own]) => `${name} is not a Blazon variable. Did you mean ${own}?`),
    );
  });

  const wrong: Readonly<Record<string, readonly string[]>> = {
    PORT: ['abc', '65536', '-1', '3e3', ' 80'],
    PUBLIC_URL: [
      'icons.example',
      'http://icons.example',
      'ftp://x',
      'https://x/path',
      'https://x?q',
      'https://x?',
      'https://x#',
      'https://u:p@x',
    ],
    INSECURE_HTTP: ['yes', '2'],
    REGISTRATION: ['yes', 'OPEN', 'verify'],
    OPERATOR_CONTACT: [
      'icons@example.com',
      'http://example.com',
      'mailto:a@b.example?subject=x',
      'mailto:a@b, mailto:c@d',
    ],
    SECURITY_CONTACT: [
      'security@example.com',
      'http://example.com/report',
      'mailto:a@example.com,',
      'mailto:a@b\nX: y',
    ],
    TRUST_PROXY: ['true', '11'],
    RENDER_THREADS: ['0', '65'],
    RENDER_QUEUE: ['0'],
    RENDER_TIMEOUT_MS: ['49', '1e9'],
    MEMORY_MB: ['127', 'much'],
    RENDER_CACHE_MB: ['0'],
    LOG_LEVEL: ['verbose'],
    JWT_SECRET: ['topsecret', `${'x'.repeat(32)},topsecret`],
    SMTP_URL: [
      'smtp://u:topsecret@host:abc',
      'smtp://user:topsecret@',
      'smtp://user:top%secret@host:25',
      'http://user:topsecret@host',
      'host:25',
      'smtp://user:topsecret@host?tls=on',
      'smtp://user:topsecret@host?requireTLS=false',
      'smtp://user:topsecret@host?tls=off&pool=true',
      'smtps://user:topsecret@host?tls=off',
    ],
    SMTP_NAME: ['a b', 'mail.example\nMAIL FROM:<x@y>', '[192.0.2.7', '-'],
    MAIL_FROM: ['a@b.example, c@d.example', 'nobody', 'A <a@b.example', 'a@b.example\nBcc: c@d.example'],
    MONGODB_URI: ['topsecret@host', 'http://u:topsecret@host', 'mongodb://'],
    REDIS_URL: ['topsecret@host', 'http://u:topsecret@host', 'redis://u:topsecret@host,topsecret'],
    RENDER_DISK_CACHE_MB: ['-1', 'off'],
    METRICS_PORT: ['65536', 'on'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    it(`rejects a wrong ${name} by name, with its value`, () => {
      for (const value of values) {
        expect(() => readEnv({ [name]: value }, '0'), value).to.throw(ConfigError, new RegExp(`^${name}: .+; .+`));
        try {
          readEnv({ [name]: value }, '0');
        } catch (error) {
          expect((error as Error).message)
            .to.not.include('\n')
            .and.not.include('topsecret')
            .and.not.include('top%secret');
        }
      }
    });
  }

  it('warns of a mail password that crosses the network unencrypted', () => {
    const warnings = (SMTP_URL: string) => environmentWarnings(readEnv({ SMTP_URL }, '0'), []);
    expect(warnings('smtp://user:topsecret@mail.example?tls=off'))
      .to.have.length(1)
      .and.have.property('0')
      .that.matches(/^SMTP_URL has tls=off: /);
    for (const url of [
      'smtp://user:topsecret@localhost?tls=off',
      'smtp://mail?tls=off',
      'smtp://u:topsecret@mail.example',
    ])
      expect(warnings(url), url).to.deep.equal([]);
  });

  it('needs a mail server for REGISTRATION=verified', () => {
    const REGISTRATION = 'verified';
    expect(() => readEnv({ REGISTRATION }, '0')).to.throw(
      ConfigError,
      /^SMTP_URL: is not set, but REGISTRATION is verified; [^\n]+$/,
    );
    expect(readEnv({ REGISTRATION, SMTP_URL: 'smtp://mail' }, '0')).to.include({ REGISTRATION });
  });

  describe('of the cluster', () => {
    const MONGODB_URI = 'mongodb://user:topsecret@db/blazon?replicaSet=rs0';
    const REDIS_URL = 'redis://:topsecret@cache';
    const JWT_SECRET = 'k'.repeat(32);

    it('needs both MONGODB_URI and REDIS_URL, and names the missing one', () => {
      expect(() => readEnv({ MONGODB_URI, JWT_SECRET }, '0')).to.throw(
        ConfigError,
        /^REDIS_URL: is not set, but MONGODB_URI is; [^\n]+$/,
      );
      expect(() => readEnv({ REDIS_URL, JWT_SECRET }, '0')).to.throw(
        ConfigError,
        /^MONGODB_URI: is not set, but REDIS_URL is; [^\n]+$/,
      );
    });

    it('needs a JWT_SECRET', () => {
      expect(() => readEnv({ MONGODB_URI, REDIS_URL }, '0')).to.throw(ConfigError, /^JWT_SECRET: is not set; [^\n]+$/);
      expect(isCluster(readEnv({ MONGODB_URI, REDIS_URL, JWT_SECRET }, '0'))).to.equal(true);
      expect(isCluster(readEnv({}, '0'))).to.equal(false);
    });

    /** Returns the error message, or undefined if the value is accepted. */
    const rejectionOf = (variables: Record<string, string>): string | undefined => {
      try {
        readEnv({ MONGODB_URI, REDIS_URL, JWT_SECRET, ...variables }, '0');
        return undefined;
      } catch (error) {
        expect(error).to.be.instanceOf(ConfigError);
        return (error as Error).message;
      }
    };

    it('rejects options of MONGODB_URI that weaken a promise, by name', () => {
      const weakening = [
        ...['w=1', 'w=0', 'W=2', 'journal=false', 'j=false', 'readConcernLevel=local', 'readconcernlevel=available'],
        ...['readPreference=secondaryPreferred', 'readPreferenceTags=dc:a', 'maxStalenessSeconds=90'],
        ...['retryWrites=false', 'retryReads=false'],
      ];
      for (const option of weakening) {
        const [name = ''] = option.split('=');
        for (const uri of [`${MONGODB_URI}&${option}`, `mongodb://u:topsecret@a,b,c/?${option}`])
          expect(rejectionOf({ MONGODB_URI: uri }), option)
            .to.match(new RegExp(`^MONGODB_URI: .+ without ${name}\\b`))
            .and.not.include('topsecret');
      }
      const options = 'w=majority&journal=true&readConcernLevel=majority&readPreference=primary&retryWrites=true';
      for (const uri of [`${MONGODB_URI}&${options}`, `${MONGODB_URI}&tls=true&authSource=admin`, 'mongodb+srv://a/b'])
        expect(rejectionOf({ MONGODB_URI: uri }), uri).to.equal(undefined);
    });

    it('rejects options of REDIS_URL, which would replace settings of the connection, by name', () => {
      const rejected = {
        autoResendUnfulfilledCommands: 'redis://:topsecret@a/1?autoResendUnfulfilledCommands=true',
        password: 'redis://a?password=topsecret',
        family: 'redis://a?family=topsecret',
        db: 'redis://a:1?family=4&db=3',
      };
      for (const [name, url] of Object.entries(rejected))
        expect(rejectionOf({ REDIS_URL: url }), url)
          .to.include(`?${name}`)
          .and.not.include('topsecret');
      expect(rejectionOf({ REDIS_URL: 'redis://a:1?family=6,redis://:topsecret@b:1' }))
        .to.include('?family')
        .and.not.include('topsecret');
      expect(rejectionOf({ REDIS_URL: 'redis://a:1/2?family=6' })).to.equal(undefined);
    });

    it('accepts the nodes of a Redis Cluster, and TLS', () => {
      for (const url of ['redis://a:7000,redis://b:7000', 'rediss://user:word@a', 'redis://127.0.0.1:6379/3'])
        expect(readEnv({ MONGODB_URI, REDIS_URL: url, JWT_SECRET }, '0').REDIS_URL).to.equal(url);
    });
  });
});
