// Delivery of mails.

export interface Mail {
  /** Left side of its Message-ID; the same for every try. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the mail server has accepted it; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
