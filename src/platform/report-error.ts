// Report of a failure that no request waits for. It is written to the log.

/** `what` describes the failure. `fields` name the account or client that it concerns. */
export type ReportError = (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
