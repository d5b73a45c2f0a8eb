// Visitor counters of web pages.
import type { Feature } from '../platform/feature.js';
import { COUNTER_STORES } from './stores.js';

export const visitorCounters: Feature = {
  ...COUNTER_STORES,
  commands: {
    counters: {
      help:
        'Shows and changes visitor counters, which are defined in config/counters.json. Safe to use while the ' +
        'service runs; its counts are a few seconds ahead.',
      example: 'show example',
      load: () => import('./counters.command.js'),
    },
  },
  forgetInRedis: {
    table: 'visitorCounters',
    load: async () => (await import('./counter-writer.redis.js')).removeKnownCounters,
  },
  routes: async () => (await import('./all.routes.js')).routes,
  jobs: async () => (await import('./visitor-counters.job.js')).counterJobs,
  serve: async () => (await import('./open.js')).serveCounters,
};
