/**
 * Body of a request that is a file. The bytes are private, so that no log and no check of JSON bodies reads them: a
 * file may contain anything.
 */
export class UploadedFile {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): Buffer {
    return this.#bytes;
  }
}
