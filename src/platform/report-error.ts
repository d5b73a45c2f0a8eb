// Report of a failure that no caller receives. The report is written to the log.

/**
 * Reports a failure that no caller receives. `what` describes the failure. `fields` contains ids of the account or
 * client that it concerns.
 */
export type ReportError = (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
