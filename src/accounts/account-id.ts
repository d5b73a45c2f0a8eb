// Account ids.

/** 12 Base62 characters; also the reference inside the account's API key, session tokens and mailed links. */
export type AccountId = string & { readonly __brand: 'AccountId' };

/** Undefined for malformed text. Whether there is such an account is the store's to decide. */
export function parseAccountId(text: string): AccountId | undefined {
  return isAccountId(text) ? text : undefined;
}

function isAccountId(text: string): text is AccountId {
  return /^[0-9A-Za-z]{12}$/.test(text);
}
