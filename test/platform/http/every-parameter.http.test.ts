// Every parameter of every route. No value may cause an internal error, and an error must name the parameter.
import { expect } from 'chai';
import { ERRORS, type ErrorCode, type ErrorDetail } from '../../../src/platform/errors.js';
import { isMetered, type Route } from '../../../src/platform/http/route.js';
import { IS_WHOLE } from '../../support/extent.js';
import { benchOf, closeBench, nameOf, ROUTES, withParameter } from '../../support/route-bench.js';

/** Tested values, percent-encoded for a URL. `npm run test:all` also tests `MANY`. */
const FEW = ['', '%00', 'constructor', '99999999999999999999', 'a'.repeat(4000)];
const MANY = [
  ...['a%00b', '%F0%9F%92%A9', '-1', '1e309', '[]', 'a,b,,c', '%0d%0aX:1', '%3Cscript%3E', '%23fff', '__proto__'],
  ...['xn--', '..%2F..%2Fetc', '[::1]', 'http%3A%2F%2Fgithub.com', 'com', 'GitHub.com'],
  Array.from({ length: 1000 }, () => 'github').join(','),
];
const VALUES = IS_WHOLE ? [...FEW, ...MANY] : FEW;

const namesIn = (shape: Route['query']): readonly string[] => Object.keys(shape?.shape ?? {});
/**
 * Returns copies of the valid URL `path`. In each copy, the parameter in the path or in the query has another value,
 * such as one of VALUES.
 */
function addressesWith(route: Route, path: string, parameter: string): readonly string[] {
  if (namesIn(route.query).includes(parameter)) {
    const [address = '', query = ''] = path.split('?');
    const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
    const plain = others.length === 0 ? address : `${address}?${others.join('&')}`;
    return [
      ...VALUES.map((value) => withParameter(plain, `${parameter}=${value}`)),
      withParameter(plain, parameter),
      withParameter(plain, `${parameter}[]=1`),
    ];
  }
  const [own = '', query] = path.split('?');
  // Replaces only the parameter in braces, because the segment may contain other text.
  const segments = own.split('/');
  const at = route.path.split('/').findIndex((segment) => segment.includes(`{${parameter}}`));
  if (at === -1) return [];
  const [before = '', after = ''] = (route.path.split('/')[at] ?? '').split(`{${parameter}}`);
  return VALUES.filter((value) => value !== '').map((value) => {
    const changed = segments.map((segment, index) => (index === at ? before + value + after : segment)).join('/');
    return query === undefined ? changed : `${changed}?${query}`;
  });
}

describe('every parameter', () => {
  after(closeBench);

  for (const route of ROUTES.filter(({ method, page }) => method === 'GET' && !page)) {
    const parameters = [...namesIn(route.params), ...namesIn(route.query)];
    if (parameters.length === 0) continue;
    describe(nameOf(route), () => {
      const bench = benchOf(route);
      const fields = [...parameters, 'key', 'authorization'];

      it(`rejects invalid values by name: ${parameters.join(', ')}`, async () => {
        const { call, send } = bench();
        for (const parameter of parameters)
          for (const path of addressesWith(route, call.path, parameter)) {
            const response = await send({ path });
            const text = response.status < 400 ? '' : await response.text();
            expect(response.status, `${path.slice(0, 200)}: ${text}`).to.be.below(500);
            if (response.headers.get('content-type') !== 'application/json; charset=utf-8' || text === '') continue;
            const { error, details = [] } = JSON.parse(text) as { error: ErrorCode; details?: ErrorDetail[] };
            // Routes under /compat have the error codes of the service whose URLs they accept.
            if (isMetered(route) && route.isForeign && !(error in ERRORS)) continue;
            expect(ERRORS[error].status, text).to.equal(response.status);
            if (error !== 'invalid_request') continue;
            const [first] = details;
            expect(first?.field.replace(/\[.*$/, ''), `${path.slice(0, 200)}: ${text}`).to.be.oneOf(fields);
          }
      });
    });
  }
});
