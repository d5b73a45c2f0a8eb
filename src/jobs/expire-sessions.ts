// Takes ended sessions and links out of their accounts. They are refused without it: this only cleans up.
import { removeExpired } from '../domain/account/changes/sessions.js';
import { forEachDueAccount } from './for-each-due-account.js';
import type { Job } from './job.js';

export const expireSessions: Job = {
  name: 'expire-sessions',
  schedule: '7 * * * *',
  summary: 'Removes sessions and mailed links that have ended.',
  async run({ accounts, actors, now }) {
    const tidied = await forEachDueAccount({ accounts, what: 'expiry', now }, (id) =>
      actors.run(id, { kind: 'system', address: null }, removeExpired),
    );
    return { accounts: tidied };
  },
};
