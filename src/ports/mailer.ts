// Hands a mail to whoever delivers it.

export interface Mail {
  /** Its Message-ID's left side; the same for a repetition. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Rejects when it could not be handed over. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
