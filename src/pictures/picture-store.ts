// Picture store: finished pictures that survive a restart, shared by all processes of a host.

export interface PictureStore {
  /** Returns a picture. Undefined when it is missing, unreadable or damaged. Never rejects. */
  get(key: string): Promise<Buffer | undefined>;
  /** Resolves when the picture is stored or could not be stored. A lost picture is drawn again. Never rejects. */
  put(key: string, bytes: Uint8Array): Promise<void>;
}
