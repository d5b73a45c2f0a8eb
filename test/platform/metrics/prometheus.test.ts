// Metrics in Prometheus format: every recording method, the gauges, and invalid HTTP methods.
import { expect } from 'chai';
import { createPrometheusMetrics } from '../../../src/platform/metrics/prometheus.js';
import { samplesIn, sumOf } from '../../support/prometheus-text.js';

describe('createPrometheusMetrics', () => {
  it('counts and times the reports of its callers', async () => {
    const metrics = createPrometheusMetrics();
    metrics.request({ route: '/v1/search', method: 'GET', status: 200, seconds: 0.002 });
    metrics.request({ route: 'unrouted', method: 'PROPFIND', status: 404, seconds: 0.002 });
    metrics.request({ route: 'unrouted', method: 'BREW', status: 404, seconds: 0.002 });
    metrics.admission('svg', 'quota');
    metrics.picture('disk');
    metrics.pictureWait(0.2);
    metrics.drawing(0.3);
    metrics.store('accounts.save', 0.004, false);
    metrics.lockWait(0.02);
    metrics.job('send-mails', 'done');
    metrics.job('send-mails', 'failed');
    const samples = samplesIn(await metrics.text());
    for (const [name, labels, value] of [
      ['blazon_request_seconds_count', { route: '/v1/search', method: 'GET', status: '200' }, 1],
      ['blazon_request_seconds_bucket', { route: '/v1/search', le: '0.001' }, 0],
      ['blazon_request_seconds_bucket', { route: '/v1/search', le: '0.0025' }, 1],
      ['blazon_request_seconds_count', { route: 'unrouted', method: 'other', status: '404' }, 2],
      ['blazon_admissions_total', { bucket: 'svg', outcome: 'quota' }, 1],
      ['blazon_pictures_total', { source: 'disk' }, 1],
      ['blazon_picture_wait_seconds_sum', {}, 0.2],
      ['blazon_drawing_seconds_sum', {}, 0.3],
      ['blazon_store_seconds_count', { operation: 'accounts.save', outcome: 'failed' }, 1],
      ['blazon_lock_wait_seconds_bucket', { le: '0.01' }, 0],
      ['blazon_lock_wait_seconds_bucket', { le: '0.05' }, 1],
      ['blazon_jobs_total', { name: 'send-mails', outcome: 'done' }, 1],
      ['blazon_jobs_total', { name: 'send-mails', outcome: 'failed' }, 1],
    ] as const)
      expect(sumOf(samples, name, labels), `${name} ${JSON.stringify(labels)}`).to.equal(value);
  });

  it('reads gauges on request, and has its own registry', async () => {
    const [metrics, other] = [createPrometheusMetrics(), createPrometheusMetrics()];
    let waiting = 3;
    metrics.gauge('mailbox_waiting', () => waiting);
    const value = async () => sumOf(samplesIn(await metrics.text()), 'blazon_mailbox_waiting');
    expect(await value()).to.equal(3);
    waiting = 0;
    expect(await value()).to.equal(0);
    expect(await other.text()).to.not.include('blazon_mailbox_waiting');
  });
});
