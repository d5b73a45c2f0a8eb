// Allowed URLs, and exceptions that the operator configures.
import { expect } from 'chai';
import { hostExceptions, NO_EXCEPTIONS, originExceptions, targetOf } from '../../../src/platform/outgoing/target.js';

const target = (url: string, exceptions = NO_EXCEPTIONS) => targetOf(new URL(url), exceptions);

describe('targets of outgoing requests', () => {
  it('are http and https URLs on the ports 80 and 443', () => {
    for (const url of ['http://a.example/', 'https://a.example/x?y', 'http://a.example:443/', 'https://a.example:80/'])
      expect(target(url)?.isException, url).to.equal(false);
  });

  it('are no URLs with another scheme, another port or credentials', () => {
    const others = ['ftp://a.example/', 'file:///etc/passwd', 'data:text/html,x', 'javascript:alert(1)', 'gopher://a/'];
    for (const url of [
      ...others,
      'http://a.example:22/',
      'http://a.example:8080/',
      'http://a:b@a.example/',
      'http://a@b.example/',
    ])
      expect(target(url), url).to.equal(undefined);
  });

  it('send both schemes of a mapped host to its origin', () => {
    const exceptions = hostExceptions(['Intranet.corp=http://10.0.0.7:8080']);
    const mapped = { origin: 'http://10.0.0.7:8080', isException: true };
    expect(target('https://intranet.corp/a', exceptions)).to.deep.equal(mapped);
    expect(target('http://intranet.corp/a', exceptions)).to.deep.equal(mapped);
    expect(target('http://10.0.0.7:8080/a', exceptions)).to.deep.equal(mapped);
    expect(target('http://intranet.corp:8080/', exceptions)).to.equal(undefined);
    expect(target('http://10.0.0.7:8081/', exceptions)).to.equal(undefined);
    expect(target('http://x.intranet.corp/', exceptions)?.isException).to.equal(false);
  });

  it('include origins that the operator allows, with their port and scheme only', () => {
    const exceptions = originExceptions(['http://hooks.internal:9000']);
    expect(target('http://hooks.internal:9000/a', exceptions)?.isException).to.equal(true);
    expect(target('https://hooks.internal:9000/a', exceptions)).to.equal(undefined);
    expect(target('http://hooks.internal/a', exceptions)?.isException).to.equal(false);
  });
});
