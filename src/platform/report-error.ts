// Report of a failure that no request waits for: it becomes a line of the log.

/** `fields` name whom the failure is about. */
export type ReportError = (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
