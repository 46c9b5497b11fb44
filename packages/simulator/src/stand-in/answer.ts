/** Response of a stand-in. Without `body` and `text` the body is empty. */
export interface StandInAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Body that is not JSON, with its media type. */
  readonly text?: readonly [mediaType: string, text: string];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Empty responses: the status alone says what happened. */
export const unauthorised: StandInAnswer = { status: 401 };
export const notAllowed: StandInAnswer = { status: 403 };
export const notFound: StandInAnswer = { status: 404 };
export const rateLimited: StandInAnswer = { status: 429 };
export const noContent: StandInAnswer = { status: 204 };

/** Response of the control surface to a request that it cannot use. */
export const badControl = (error: string): StandInAnswer => ({ status: 400, body: { error } });
