// Operations: the commands backup, restore, doctor, migrate and reload.
import type { Feature } from '../platform/feature.js';

export const operations: Feature = {
  name: 'operations',
  commands: {
    backup: {
      help:
        'Backs up all stored data to a new file, a SQLite database. Safe to use while the service runs. JWT_SECRET ' +
        'is not included.',
      example: '/backup/blazon.sqlite',
      load: () => import('./backup.command.js'),
    },
    doctor: {
      help: 'Checks this deployment. Exits with code 1 if it finds errors.',
      example: '--json',
      load: () => import('./doctor.command.js'),
    },
    migrate: {
      help:
        'Copies all data between DATA_DIR and the cluster of MONGODB_URI and REDIS_URL, and compares both. Stop ' +
        'all processes of the service first.',
      example: '--to cluster --dry-run',
      load: () => import('./migrate.command.js'),
    },
    reload: {
      help:
        'Replaces the processes of PM2 with processes of this build, one after the other. If one cannot start, ' +
        'exits with code 1 and keeps the old processes running.',
      example: '--wait 60',
      load: () => import('./reload.command.js'),
    },
    restore: {
      help:
        'Restores a backup to DATA_DIR, or to the cluster that the environment variables specify. Stop all ' +
        'processes of the service first.',
      example: '/backup/blazon.sqlite --replace',
      load: () => import('./restore.command.js'),
    },
  },
};
