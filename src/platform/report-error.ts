// Report of a failure that no caller receives. The report is written to the log.

/**
 * Reports a failure that no caller receives. `what` describes the failure. `fields` contains the ids of the affected
 * account or client.
 */
export type ReportError = (error: unknown, what: string, fields?: Readonly<Record<string, string>>) => void;
