// Platform as a feature: documents, pages, health checks, and the command about jobs.
import type { Feature } from './feature.js';

export const platform: Feature = {
  name: 'platform',
  commands: {
    jobs: {
      help: 'Lists and runs the background jobs of the service. Safe to use while the service runs.',
      example: 'list',
      async load(features) {
        const [{ jobCommands }, { jobsOf }] = await Promise.all([
          import('./jobs/jobs.command.js'),
          import('./jobs/all.job.js'),
        ]);
        return { default: jobCommands(await jobsOf(features)) };
      },
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
};
