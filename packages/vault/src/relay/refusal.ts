/**
 * Reason why a request is not sent. `why` is a fixed name. `detail` is a sentence that names the address, method and
 * position, never a value.
 */
export class RelayRefusal extends Error {
  override name = 'RelayRefusal';
  readonly why: string;
  readonly detail: string | undefined;

  constructor(why: string, detail?: string) {
    super(why);
    this.why = why;
    this.detail = detail;
  }
}
