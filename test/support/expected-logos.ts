// Brands whose entries were once wrong, and what each must have in the imported catalog.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Their default has several colors, one of which is no gray. */
export const FULL_COLOR = words(
  'zoho argo vuetify chrome-web-store passport sap streamlit namecheap cloudflare duckdb',
);

/** Their default is in the brand's color, be it a single one. */
export const COLORED = words('yandex norton western-union razer kick opel robinhood mailchimp hulu vault');

/** Can be seen on either page when it is asked for, with all of its lettering. */
export const VISIBLE = words('fedex disney-plus samsung openssl nba booking-com mastercard jenkins');

export const WITH_MONO = words('slack microsoft java php salesforce');

/** Have margins that `trim=1` cuts. */
export const WITH_MARGINS = words('hack-the-box calendly workday');

/** Another name, and the entry that answers to it. */
export const OTHER_NAMES: readonly (readonly [name: string, slug: string])[] = [
  ['claude-ai', 'claude'],
  ['rails', 'ruby-on-rails'],
  ['x-formerly-twitter', 'x'],
  ['wordpress-icon-alt', 'wordpress'],
  ['gemini', 'google-gemini'],
];

/** Share a name and are two brands, with another drawing each. */
export const APART: readonly (readonly [one: string, other: string])[] = [
  ['google-gemini', 'gemini-exchange'],
  ['spring', 'spring-creators'],
  ['flux', 'flux-black-forest-labs'],
  ['pepsico', 'nintendo-switch-2'],
];

/** Typed, and the entry that comes first. */
export const SEARCHED: readonly (readonly [query: string, slug: string])[] = [
  ['ms', 'microsoft'],
  ['gcp', 'google-cloud'],
  ['wa', 'whatsapp'],
  ['gpt', 'openai'],
  ['k8s', 'kubernetes'],
  ['яндекс', 'yandex'],
  ['微信', 'wechat'],
  ['支付宝', 'alipay'],
  ['구글', 'google'],
  ['docker swarm', 'docker'],
];
