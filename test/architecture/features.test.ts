// Optional features: if a feature is not in the list, its routes, jobs and tables are missing.
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { FEATURES } from '../../src/features.js';
import type { Deployment } from '../../src/platform/services.js';
import { jobsOf } from '../../src/platform/jobs/all.job.js';
import { openApiDocument } from '../../src/platform/http/openapi/document.js';
import { routesOf } from '../../src/platform/routes-of.js';
import { exportTableDefinitions } from '../../src/platform/stores/record-export-tables.js';

// The path is relative to dist/test/architecture/.
const order = createRequire(import.meta.url)('../../../scripts/feature-order.cjs') as {
  readonly FEATURES: readonly string[];
  readonly OPTIONAL: readonly string[];
};

/** One documented path per feature. Undefined for a feature without paths. */
const PATHS: Readonly<Record<string, string | undefined>> = {
  billing: '/v1/subscription',
  'visitor-counters': '/v1/public/visitor-counter/{name}',
  iconify: '/iconify/{publishableKey}/collections',
  compat: '/compat/{publishableKey}/clearbit/{domain}',
  agents: '/mcp',
  'missing-names': undefined,
  'logo-reports': '/v1/catalog/{slug}/reports',
  'quota-alerts': '/auth/alerts',
  webhooks: '/auth/webhooks',
};

async function pathsOf(features: typeof FEATURES): Promise<readonly string[]> {
  const routes = await routesOf(features, {} as Deployment);
  const document = openApiDocument({ routes, version: '0.0.0', publicUrl: 'https://icons.example', limits: '' });
  return Object.keys((document as { readonly paths: object }).paths);
}

describe('features', () => {
  it('have the same order in their list as in the rules of imports', () => {
    expect(FEATURES.map(({ name }) => name)).to.deep.equal([...order.FEATURES, ...order.OPTIONAL]);
  });

  for (const name of order.OPTIONAL)
    it(`leave the OpenAPI document, the jobs and the backups without ${name} when it is not in the list`, async () => {
      const rest = FEATURES.filter((feature) => feature.name !== name);
      const [all, left] = [await pathsOf(FEATURES), await pathsOf(rest)];
      const path = PATHS[name];
      if (path !== undefined) {
        expect(all).to.include(path);
        expect(left).to.not.include(path);
      }
      const own = FEATURES.find((feature) => feature.name === name);
      const [jobs, records] = [await own?.jobs?.(), await own?.records?.()];
      const names = (await jobsOf(rest)).map((job) => job.name);
      expect(names).to.not.include.members((jobs?.jobs ?? [{ name: '-' }]).map((job) => job.name));
      const exported = (await exportTableDefinitions(rest)).map((table) => table.name);
      for (const table of records?.tables ?? []) expect(exported).to.not.include(table.name);
    });
});
