// Delivery of mails.

export interface Mail {
  /** Left side of the Message-ID, the same for every attempt. */
  readonly id: string;
  /** Account of the recipient; undefined if there is none, or if it is deleted. */
  readonly account?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL that ends such mails with one POST (RFC 8058). */
  readonly unsubscribe?: string;
}

/** Result of a delivery. The mail server may permanently refuse the recipient; `reply` is the server's text. */
export type Delivery = { readonly accepted: true } | { readonly accepted: false; readonly reply: string };

export interface Mailer {
  /** Sends the mail. Rejects if the mail could not be handed over and another attempt may help. */
  send(mail: Mail): Promise<Delivery>;
  /** Removes copies of the account's mails that are stored here. */
  forget(account: string): Promise<void>;
  close(): void;
}
