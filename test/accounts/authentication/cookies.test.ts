// Reading of the session cookie and the device cookie.
import { expect } from 'chai';
import { AppError } from '../../../src/platform/errors.js';
import { createBrowserCookies } from '../../../src/accounts/authentication/cookies.js';
import { cookieNames } from '../../../src/platform/http/cookie-names.js';

describe('cookies', () => {
  const cookies = createBrowserCookies('https://icons.example');
  const session = (headers: { cookie?: string }) => cookies.session(headers);
  const device = (headers: { cookie?: string }) => cookies.device(headers);

  it('are found among others', () => {
    const cookie =
      'a=1; __Host-blazon_session=one; x__Host-blazon_device=no; __Host-blazon_device=two=2;__host-blazon_session=three';
    expect(session({ cookie })).to.equal('one');
    expect(device({ cookie })).to.equal('two=2');
    for (const none of [
      {},
      { cookie: '' },
      { cookie: ';;=;' },
      { cookie: '__Host-blazon_session' },
      { cookie: 'blazon_session=one; blazon_device=two' },
    ]) {
      expect(session(none)).to.equal(undefined);
      expect(device(none)).to.equal(undefined);
    }
  });

  it('may be repeated with the same value', () => {
    expect(session({ cookie: '__Host-blazon_session=one; __Host-blazon_session=one' })).to.equal('one');
    expect(device({ cookie: '__Host-blazon_device=one;__Host-blazon_device=one' })).to.equal('one');
  });

  it('are ambiguous if repeated: two sessions are rejected by name without their values, and two devices are ignored', () => {
    for (const second of ['second', '']) {
      const cookie = `__Host-blazon_session=first; a=b; __Host-blazon_session=${second}; __Host-blazon_device=first; __Host-blazon_device=${second}`;
      expect(() => session({ cookie })).to.throw(
        AppError,
        /^Cookie: __Host-blazon_session is given more than once, with different values$/,
      );
      expect(device({ cookie })).to.equal(undefined);
    }
  });

  it('have the port of PUBLIC_URL in their names when it is explicit', () => {
    const names = {
      'https://icons.example': '__Host-blazon_session',
      'https://icons.example:443': '__Host-blazon_session',
      'https://icons.example:8443': '__Host-blazon_session_8443',
      'http://localhost': 'blazon_session',
      'http://localhost:80': 'blazon_session',
      'http://localhost:3000': 'blazon_session_3000',
      'http://[::1]:3000': 'blazon_session_3000',
    };
    for (const [publicUrl, session] of Object.entries(names))
      expect(cookieNames(publicUrl), publicUrl).to.deep.equal({
        session,
        device: session.replace('session', 'device'),
      });
    const local = createBrowserCookies('http://localhost:300');
    const cookie = 'blazon_session=one; blazon_session_3000=two; blazon_session_300=three';
    expect(local.session({ cookie })).to.equal('three');
  });
});
