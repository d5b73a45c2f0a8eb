// Commands of operators: backup, doctor, migration, reload.
import type { Feature } from '../platform/feature.js';

export const operations: Feature = {
  name: 'operations',
  commands: {
    backup: {
      help: 'Writes everything that is stored into a new file, a SQLite database. May run beside the service. JWT_SECRET is not in it.',
      example: '/backup/blazon.sqlite',
      load: () => import('./backup.command.js'),
    },
    doctor: {
      help: 'Checks this deployment. Exit code 1 when something is wrong.',
      example: '--json',
      load: () => import('./doctor.command.js'),
    },
    migrate: {
      help: 'Copies everything between DATA_DIR and the cluster of MONGODB_URI and REDIS_URL, and compares both. No process may serve meanwhile.',
      example: '--to cluster --dry-run',
      load: () => import('./migrate.command.js'),
    },
    reload: {
      help: 'Replaces the processes of PM2 by those of this build, one after the other. Exit code 1 when one cannot start: the old ones go on serving then.',
      example: '--wait 60',
      load: () => import('./reload.command.js'),
    },
    restore: {
      help: 'Puts a backup in place: into DATA_DIR, or into the cluster that the environment names. No process may serve meanwhile.',
      example: '/backup/blazon.sqlite --replace',
      load: () => import('./restore.command.js'),
    },
  },
};
