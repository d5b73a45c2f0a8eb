// Route that serves the files of a page.
import { z } from 'zod';
import { AppError } from '../../errors.js';
import type { ConditionalReply } from '../response/reply.js';
import { route, type Route } from '../route.js';

export const NOT_MODIFIED = { description: 'Not modified' };

/** Returns the route `GET {folder}/{file}`. `files`: replies by file name. */
export function pageFilesRoute(folder: string, files: Readonly<Record<string, ConditionalReply>>): Route {
  return route(`GET ${folder}/{file}`, {
    auth: 'none',
    hidden: true,
    summary: 'Get a file of a dashboard page',
    params: z.strictObject({ file: z.string() }),
    responses: { 200: { description: 'A style sheet, script or image' }, 304: NOT_MODIFIED },
    errors: ['route_not_found'],
    handle({ params: { file } }) {
      const found = Object.hasOwn(files, file) ? files[file] : undefined;
      if (!found) throw new AppError('route_not_found');
      return found;
    },
  });
}
