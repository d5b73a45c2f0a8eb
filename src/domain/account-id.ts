// What names an account.

/** 12 Base62 characters; also the reference inside the account's API key, session tokens and mailed links. */
export type AccountId = string & { readonly __brand: 'AccountId' };
