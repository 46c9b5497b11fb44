import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandIn } from '../http.ts';
import { BadRequest } from '../parse.ts';
import { readBody } from '../read-body.ts';
import { type CheckoutAnswer, malformed } from './answer.ts';
import { openCheckoutBooks } from './books.ts';
import type { CheckoutServices } from './call.ts';
import { control } from './control.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { createProgress } from './follow-ups/progress.ts';
import { randomBase32 } from './ids.ts';
import { membersOf } from './members.ts';

/** First part of the stand-in's paths. */
const PREFIX = '/checkout-com';
const CONTROL_PREFIX = '/control';
const VERSION = '1.0.0';

export interface CheckoutComConfig {
  /** Directory of the books; only one stand-in may use it at a time. */
  readonly dataDir: string;
  readonly now?: () => Date;
}

/** Stand-in of Checkout.com's payments interface, with a control surface below `/control`. */
export type CheckoutCom = StandIn & Disposable;

/** Opens the stand-in's books. Throws if another process has them open. */
export function createCheckoutCom({
  dataDir,
  now = () => new Date(),
}: CheckoutComConfig): CheckoutCom {
  const books = openCheckoutBooks(dataDir);
  const clock = () => now().getTime() + books.clockOffset();
  const progress = createProgress({ books, now: clock });
  const services: CheckoutServices = { books: { ...books, commit: progress.commit }, now: clock };
  const dispatch = createDispatch(services);
  return {
    prefix: PREFIX,
    serve(request, response) {
      void answerTo(services, dispatch, request).then((answer) => send(response, answer));
    },
    [Symbol.dispose]() {
      progress[Symbol.dispose]();
      books[Symbol.dispose]();
    },
  };
}

async function answerTo(
  services: CheckoutServices,
  dispatch: Dispatch,
  request: IncomingMessage,
): Promise<CheckoutAnswer> {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const path = pathname.slice(PREFIX.length);
    const method = request.method ?? '';
    const body = await readJson(request);
    if (path.startsWith(`${CONTROL_PREFIX}/`)) {
      const call = { method, path: path.slice(CONTROL_PREFIX.length), query: searchParams, body };
      return await services.books.commit(() => control(services, call));
    }
    return await dispatch({
      method,
      path,
      query: searchParams,
      authorization: request.headers.authorization,
      idempotencyKey: request.headers['cko-idempotency-key']?.toString(),
      body,
      base: `http://${request.headers.host ?? ''}${PREFIX}`,
    });
  } catch (error) {
    return error instanceof BadRequest || error instanceof SyntaxError
      ? malformed
      : { status: 500 };
  }
}

/** Parsed JSON of a body; undefined if the body is empty. Throws `SyntaxError` or `BadRequest`. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request)).toString();
  return text === '' ? undefined : JSON.parse(text);
}

function send(response: ServerResponse, { status, body, text }: CheckoutAnswer): void {
  const requestId = randomBase32();
  const isProblem = membersOf(body).error_codes !== undefined;
  const json = isProblem ? { request_id: requestId, ...membersOf(body) } : body;
  const [mediaType, content] = text ?? [
    'application/json; charset=utf-8',
    body === undefined ? '' : JSON.stringify(json),
  ];
  response
    .writeHead(status, {
      ...(content !== '' && { 'content-type': mediaType }),
      'content-length': Buffer.byteLength(content),
      'cko-request-id': requestId,
      'cko-version': VERSION,
    })
    .end(content === '' ? undefined : content);
}
