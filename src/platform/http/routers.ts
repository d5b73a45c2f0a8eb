// Routers, one for each beginning of the routes' paths: a router compares a path with all of its routes in turn.
import Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { Route } from './route.js';

type Handler = Parameters<Router['register']>[2];
type Dispatch = (context: Context, next: Next) => Promise<unknown>;

/** Matching a path with some eighty routes took a fifth of the time of a small answer (docs/performance.md). */
export function createRouters(routes: readonly Route[], handlerOf: (route: Route) => Handler): Dispatch {
  const routers = new Map<string, { readonly router: Router; readonly dispatch: Dispatch }>();
  const branches = branchesOf(routes);

  /** The first segment of the path, with the one by which its routes differ. */
  function beginning(path: string): string {
    const second = path.indexOf('/', 1);
    if (second === -1) return path;
    const first = path.slice(0, second);
    const branch = branches.get(first);
    if (branch === undefined) return first;
    const start = branch === 1 ? second : path.indexOf('/', second + 1);
    if (start === -1) return first;
    const end = path.indexOf('/', start + 1);
    return first + (end === -1 ? path.slice(start) : path.slice(start, end));
  }

  for (const route of routes) {
    const name = beginning(route.path);
    const known = routers.get(name) ?? newRouter();
    routers.set(name, known);
    known.router.register(routerPath(route), [route.method], handlerOf(route));
  }
  return (context, next) => {
    const found = routers.get(beginning(context.path));
    return found === undefined ? next() : found.dispatch(context, next);
  };
}

function newRouter() {
  const router = new Router({ strict: true, sensitive: true });
  return { router, dispatch: router.routes() as Dispatch };
}

/** By first segment, the number of the next one that is no parameter in any of its routes: 1, or 2 behind a parameter. */
function branchesOf(routes: readonly Route[]): ReadonlyMap<string, 1 | 2> {
  const branches = new Map<string, 1 | 2 | undefined>();
  for (const { path } of routes) {
    const [, first = '', ...rest] = path.split('/');
    const at = rest.findIndex((segment) => !segment.includes('{'));
    const branch = at === 0 ? 1 : at === 1 ? 2 : undefined;
    const known = branches.get(`/${first}`);
    branches.set(`/${first}`, branches.has(`/${first}`) && known !== branch ? undefined : branch);
  }
  return new Map([...branches].flatMap(([first, branch]) => (branch === undefined ? [] : [[first, branch] as const])));
}

/** As the router spells it. */
export function routerPath({ path }: Route): string {
  return path.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => (plus === '' ? ':' : '*') + name);
}
