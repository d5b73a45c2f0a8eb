// Routers, one for each beginning of the routes' paths: a router compares a path with all of its routes in turn.
import Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { Route } from '../route.js';

type Handler = Parameters<Router['register']>[2];
type Dispatch = (context: Context, next: Next) => Promise<unknown>;

/** Matching a path with some eighty routes took a fifth of the time of a small answer (docs/performance.md). */
export function createRouters(routes: readonly Route[], handlerOf: (route: Route) => Handler): Dispatch {
  const routers = new Map<string, { readonly router: Router; readonly dispatch: Dispatch }>();
  const branched = branchedSegments(routes);

  /** The first segment of the path, with the second where all routes have one that is no parameter. */
  function beginning(path: string): string {
    const second = path.indexOf('/', 1);
    if (second === -1) return path;
    const first = path.slice(0, second);
    if (!branched.has(first)) return first;
    const third = path.indexOf('/', second + 1);
    return third === -1 ? path : path.slice(0, third);
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

/** First segments whose routes have no parameter as their second. */
function branchedSegments(routes: readonly Route[]): ReadonlySet<string> {
  const [branched, others] = [new Set<string>(), new Set<string>()];
  for (const { path } of routes) {
    const [, first = '', second] = path.split('/');
    (second === undefined || second.includes('{') ? others : branched).add(`/${first}`);
  }
  return new Set([...branched].filter((first) => !others.has(first)));
}

/** As the router spells it. */
export function routerPath({ path }: Route): string {
  return path.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => (plus === '' ? ':' : '*') + name);
}
