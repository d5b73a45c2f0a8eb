// Picture store: finished pictures on disk, which survive a restart. All processes of a host share them.

export interface PictureStore {
  /** Returns a picture, or undefined if it is missing, unreadable or damaged. Never rejects. */
  get(key: string): Promise<Buffer | undefined>;
  /** Stores a picture. Resolves also if it could not be stored: a lost picture is drawn again. Never rejects. */
  put(key: string, bytes: Uint8Array): Promise<void>;
}
