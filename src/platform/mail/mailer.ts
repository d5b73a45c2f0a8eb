// Delivery of mails.

export interface Mail {
  /** Left side of its Message-ID; the same for every try. */
  readonly id: string;
  /** Undefined: of no account, or of one that is deleted. */
  readonly account?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Permanent refusal of the recipient by the mail server; `reply` is the server's text. */
export type Delivery = { readonly accepted: true } | { readonly accepted: false; readonly reply: string };

export interface Mailer {
  /** Rejects when the mail could not be handed over and another try may help. */
  send(mail: Mail): Promise<Delivery>;
  /** Removes copies of the account's mails that are kept here. */
  forget(account: string): Promise<void>;
  close(): void;
}
