// What names an account.

/** 12 Base62 characters; also the reference inside the account's API key, session tokens and mailed links. */
export type AccountId = string & { readonly __brand: 'AccountId' };

/** Undefined for what is none; whether there is such an account, the store says. */
export function parseAccountId(text: string): AccountId | undefined {
  return isAccountId(text) ? text : undefined;
}

function isAccountId(text: string): text is AccountId {
  return /^[0-9A-Za-z]{12}$/.test(text);
}
