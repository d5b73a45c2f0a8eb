// Stored icons of sites: one record per host, in the whole deployment.
import type { FoundIcon } from './find-icon.js';

interface Common {
  /** Host name, ASCII. */
  readonly id: string;
  readonly checkedAt: Date;
  /** Last use, to a day. */
  readonly usedAt: Date;
  /** 1 when inserted, raised by one with each change. */
  readonly version: number;
}

export type SiteIconRecord = Common &
  (
    | { readonly state: 'found'; readonly icon: FoundIcon; readonly dueAt: Date }
    /** The site has no icon, or does not answer. */
    | { readonly state: 'missing'; readonly dueAt: Date }
    /** The operator has blocked the host. It is never asked again. */
    | { readonly state: 'blocked' }
  );

export interface SiteIconSize {
  readonly hosts: number;
  /** Upper bound of the bytes of all records. It exceeds the sum by less than half. */
  readonly bytes: number;
}

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface SiteIconStore {
  get(host: string): Promise<SiteIconRecord | undefined>;
  /** Writes the record if the stored version is the one before its own. Returns false otherwise. */
  put(record: SiteIconRecord): Promise<boolean>;
  remove(hosts: readonly string[]): Promise<void>;
  /** Returns hosts with this text in their name, in order. */
  hosts(text: string): Promise<readonly string[]>;
  /** Returns hosts whose record is due, the longest due first. */
  due(at: Date, limit: number): Promise<readonly string[]>;
  /** Returns the least recently used hosts. Blocked hosts are never among them. */
  leastUsed(limit: number): Promise<readonly string[]>;
  size(): Promise<SiteIconSize>;
}
