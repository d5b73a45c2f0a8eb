// Picture store: finished pictures on disk, which survive a restart. All processes of a host share the pictures.

export interface PictureStore {
  /** Returns a picture, or undefined if it is missing, unreadable or damaged. Never rejects. */
  get(key: string): Promise<Buffer | undefined>;
  /** Stores a picture. Never rejects: if the picture can't be stored, it is drawn again on the next request. */
  put(key: string, bytes: Uint8Array): Promise<void>;
}
