// Account ids.

/** 12 Base62 characters. API keys, session tokens and mailed links contain the id. */
export type AccountId = string & { readonly __brand: 'AccountId' };

/** Returns undefined for a malformed id. Does not check whether the account exists. */
export function parseAccountId(text: string): AccountId | undefined {
  return isAccountId(text) ? text : undefined;
}

function isAccountId(text: string): text is AccountId {
  return /^[0-9A-Za-z]{12}$/.test(text);
}
