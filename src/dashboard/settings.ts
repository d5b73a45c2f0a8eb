// Facts about this deployment, which the service writes into the page.
import type { DashboardSettings } from '../platform/http/pages/dashboard-settings.js';

const holder = document.querySelector<HTMLElement>('[data-settings]');

export const settings = JSON.parse(holder?.dataset.settings ?? '{}') as DashboardSettings;
