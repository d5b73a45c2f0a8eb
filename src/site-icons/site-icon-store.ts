// Stored icons of sites: one record per host, in the whole deployment.
import type { FoundIcon } from './find-icon.js';

interface Common {
  /** Host name, ASCII. */
  readonly id: string;
  readonly checkedAt: Date;
  /** Time of the last use, accurate to a day. */
  readonly usedAt: Date;
  /** 1 when the record is inserted. Each change increments it by one. */
  readonly version: number;
}

export type SiteIconRecord = Common &
  (
    | { readonly state: 'found'; readonly icon: FoundIcon; readonly dueAt: Date }
    /** The site has no icon, or does not respond. */
    | { readonly state: 'missing'; readonly dueAt: Date }
    /** The operator has blocked the host, so nothing is fetched from it. */
    | { readonly state: 'blocked' }
  );

export interface SiteIconSize {
  readonly hosts: number;
  /** Upper bound of the size of all records. It is less than 50 % above their real size. */
  readonly bytes: number;
}

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface SiteIconStore {
  get(host: string): Promise<SiteIconRecord | undefined>;
  /** Writes the record if its version is one higher than the stored version. Otherwise returns false. */
  put(record: SiteIconRecord): Promise<boolean>;
  remove(hosts: readonly string[]): Promise<void>;
  /** Returns the hosts whose name contains this text, sorted by name. */
  hosts(text: string): Promise<readonly string[]>;
  /** Returns hosts whose record is due, the longest due first. */
  due(at: Date, limit: number): Promise<readonly string[]>;
  /** Returns the least recently used hosts. Blocked hosts are never among them. */
  leastUsed(limit: number): Promise<readonly string[]>;
  size(): Promise<SiteIconSize>;
}
