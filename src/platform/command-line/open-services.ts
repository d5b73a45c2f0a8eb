// Services for the commands about accounts, billing and jobs.
import type { Env } from '../../../config/env.js';
import type { JobParts } from '../jobs/job.js';
import { openServices } from '../open-services.js';
import type { ReportError } from '../report-error.js';
import { openCommandStores } from '../stores/open-stores.js';
import { commandFeatures } from './command.js';

export type CommandServices = Awaited<ReturnType<typeof openCommandServices>>;

/**
 * Opens the services that a command uses. Serving processes may run at the same time. They read accounts at each
 * request, so changes of the command take effect immediately. A job in these processes sends the mails that the command
 * stores.
 */
export async function openCommandServices(env: Env, onError: ReportError) {
  const now = Date.now;
  const features = commandFeatures();
  const stores = await openCommandStores(env, { features, now, onError });
  const opened = await openServices({ env, features, stores, metrics: undefined, now, onError, mails: 'by the job' });
  const jobParts: JobParts = { ...stores, ...opened.services, now };
  return {
    ...{ services: opened.services, stores, jobParts, now },
    async close(): Promise<void> {
      await opened.close();
      await stores.close();
    },
  };
}
