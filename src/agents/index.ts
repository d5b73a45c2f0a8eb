// Agents and developer tools: the Model Context Protocol, shadcn's registry, and llms.txt.
import type { Feature } from '../platform/feature.js';

export const agents: Feature = {
  name: 'agents',
  commands: {
    mcp: {
      help:
        'Serves the bundled catalog to agents with the Model Context Protocol, over standard input and output. ' +
        'Works offline.',
      example: '--url https://icons.example.com',
      load: () => import('./mcp.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
};
