// Report of a failure that no request waits for. It becomes a line of the log.

/** `fields` identify the account or client of the failure. */
export type ReportError = (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
