// Jobs of all features, and the job `prune`, which deletes expired data.
import type { Feature } from '../feature.js';
import type { Job, JobReport, Prune } from './job.js';

const inWords = new Intl.ListFormat('en');

const pruneJob = (prunes: readonly Prune[]): Job => ({
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes ${inWords.format(prunes.map(({ what }) => what))}.`,
  async run(parts) {
    let report: JobReport = {};
    for (const prune of prunes) report = { ...report, ...(await prune.run(parts)) };
    return report;
  },
});

export async function jobsOf(features: readonly Feature[]): Promise<readonly Job[]> {
  const found = await Promise.all(features.map(async (feature) => feature.jobs?.()));
  const jobs = found.flatMap((of) => of?.jobs ?? []);
  const prunes = found.flatMap((of) => of?.prunes ?? []);
  return [...jobs, pruneJob(prunes)].sort((one, other) => (one.name < other.name ? -1 : 1));
}
