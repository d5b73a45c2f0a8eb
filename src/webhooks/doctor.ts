// Checks of webhooks for `doctor`.
import type { Env } from '../../config/env.js';
import { isPrivateUrl } from '../../config/urls.js';
import { ok, warning, type Finding } from '../platform/doctor-finding.js';

const CHECK = 'webhook origins';

/** A malformed WEBHOOK_ORIGINS is not checked here, because `doctor` reports errors of the configuration first. */
export async function settingFindings(env: Pick<Env, 'WEBHOOK_ORIGINS'>): Promise<readonly Finding[]> {
  const origins = env.WEBHOOK_ORIGINS;
  if (origins.length === 0) return [ok(CHECK, 'Webhooks reach public hosts only.')];
  const open = origins.filter((origin) => !isPrivateUrl(origin));
  if (open.length === 0) return [ok(CHECK, `Webhooks may also be sent to ${origins.join(', ')}.`)];
  return [
    warning(
      CHECK,
      `Webhooks to ${open.join(', ')} are not encrypted: anyone on the network can read them.`,
      'Use https:// in WEBHOOK_ORIGINS, or keep these hosts in a trusted network.',
    ),
  ];
}
