// Records of site icons for tests.
import type { SiteIconRecord } from '../../src/site-icons/site-icon-store.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#ff0000" d="M0 0h24v24z"/></svg>';

export const missingIcon = (id: string, version: number): SiteIconRecord => ({
  ...{ id, version, state: 'missing', checkedAt: AT, usedAt: AT, dueAt: AT },
});

export const foundIcon = (id: string, version = 1, text = PICTURE): SiteIconRecord => ({
  ...{ id, version, state: 'found', checkedAt: AT, usedAt: AT, dueAt: AT },
  icon: {
    px: null,
    variants: [
      {
        ...{ name: 'default', width: 24, height: 24, colors: ['#ff0000'], recolorable: false, on: ['light', 'dark'] },
        ...{ etag: '0123456789abcdef', ink: [0, 0, 12, 12] },
      },
      {
        name: 'dark',
        width: 24,
        height: 24,
        colors: [],
        recolorable: true,
        on: [],
        etag: 'fedcba9876543210',
        derived: true,
      },
    ],
    texts: { '0123456789abcdef': text, fedcba9876543210: '<svg/>' },
    source: { url: `https://${id}/icon.svg`, etag: '"1"' },
  },
});
