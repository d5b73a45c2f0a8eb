// Port for the delivery of mails.

export interface Mail {
  /** Left part of the Message-ID. It is the same for every attempt. */
  readonly id: string;
  /** Account id of the recipient; absent if there is no account, or if it was deleted. */
  readonly account?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL that ends mails of this kind with one POST (RFC 8058). */
  readonly unsubscribe?: string;
}

/** Result of a delivery. If the mail server permanently rejects the recipient, `reply` is its message. */
export type Delivery = { readonly accepted: true } | { readonly accepted: false; readonly reply: string };

export interface Mailer {
  /** Sends the mail. Rejects if sending failed and another attempt may succeed. */
  send(mail: Mail): Promise<Delivery>;
  /** Deletes mail files of the account. */
  forget(account: string): Promise<void>;
  close(): void;
}
