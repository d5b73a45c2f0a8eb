// Picture store: finished pictures that outlive the process, for all processes of a host.

export interface PictureStore {
  /** Undefined when it is not there, cannot be read, or was damaged. Never rejects. */
  get(key: string): Promise<Buffer | undefined>;
  /** Resolves when it is stored, or could not be: a picture that is lost is drawn again. Never rejects. */
  put(key: string, bytes: Uint8Array): Promise<void>;
}
