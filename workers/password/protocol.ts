// Messages to the hashing process and back: plain data.

/** Its only argument, as JSON. */
export interface HashHostOptions {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface HashTask {
  readonly id: number;
  readonly password: string;
  /** `hash`: make one. Else compare with this one, or, where there is no account (null), with a decoy. */
  readonly work: 'hash' | { readonly stored: string | null };
}

export interface HashReply {
  readonly id: number;
  /** The hash, or whether the password was right; undefined when it could not be done. */
  readonly answer: string | boolean | undefined;
}
