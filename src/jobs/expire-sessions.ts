// Removal of expired sessions and links from their accounts. They are rejected without it, too.
import { removeExpired } from '../domain/account/changes/sessions.js';
import { forEachDueAccount } from './for-each-due-account.js';
import type { Job } from './job.js';

export const expireSessions: Job = {
  name: 'expire-sessions',
  schedule: '7 * * * *',
  summary: 'Removes expired sessions and mailed links.',
  async run({ accounts, actors, now }) {
    const count = await forEachDueAccount({ accounts, what: 'expiry', now }, (id) =>
      actors.run(id, { kind: 'system', address: null }, removeExpired),
    );
    return { accounts: count };
  },
};
