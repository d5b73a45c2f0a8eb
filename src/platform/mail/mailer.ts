// Interface through which the service delivers mails.

export interface Mail {
  /** Part of the Message-ID before the `@`. It is the same for every attempt. */
  readonly id: string;
  /** Account id of the recipient; absent if the recipient has no account, or if the account was deleted. */
  readonly account?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL to unsubscribe from mails of this kind with one POST (RFC 8058). */
  readonly unsubscribe?: string;
}

/** Result of a delivery. If the mail server permanently rejects the recipient, `reply` is the server's message. */
export type Delivery = { readonly accepted: true } | { readonly accepted: false; readonly reply: string };

export interface Mailer {
  /** Sends the mail. Rejects if sending failed and another attempt may succeed. */
  send(mail: Mail): Promise<Delivery>;
  /** Deletes the account's mail files. */
  forget(account: string): Promise<void>;
  close(): void;
}
