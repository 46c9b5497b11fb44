import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { StandIn } from '../http.ts';
import { BadRequest } from '../parse.ts';
import { readBody } from '../read-body.ts';
import type { StandInAnswer } from './answer.ts';
import type { ControlCall } from './control.ts';
import { echoAnswerOf } from './echo-answer.ts';
import { isMultipart, readForm } from './read-form.ts';
import { createRequestFaults, type RequestFault } from './request-faults.ts';

/** A request to a stand-in, with its parsed body. */
export interface StandInRequest {
  readonly method: string;
  /** Path after the stand-in's prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Parsed text, or members of a form; undefined for requests without a body. */
  readonly body: unknown;
  /** Base address of the stand-in, for links. */
  readonly base: string;
  /** Whether the books must undo the operation: fault `without_effect`. */
  readonly isWithoutEffect: boolean;
  /** Reason for which the issuer declines the payment: fault `decline`. */
  readonly decline?: SandboxOutcome | undefined;
}

export interface TransportConfig {
  /** First part of the stand-in's paths, such as `/adyen`. */
  readonly prefix: string;
  /** Response to a body that cannot be read. */
  readonly malformed: StandInAnswer;
  /** Reads bodies that are not JSON. Throws `BadRequest`. The control surface speaks JSON always. */
  readonly parse?: (text: string) => unknown;
  /** Path by which faults select a request, where one address serves all operations. */
  readonly faultPathOf?: (request: StandInRequest) => string;
  /** Maximum size of a JSON body, in bytes. Default: that of the simulated network. */
  readonly jsonBytesMax?: number;
  answer(request: StandInRequest): Promise<StandInAnswer>;
  control(call: ControlCall): Promise<StandInAnswer>;
  /** Adds the processor's own headers and members to a response. */
  complete(answer: StandInAnswer): StandInAnswer;
  /** Ends delays when the stand-in closes. */
  readonly closingSignal: AbortSignal;
}

/** Maximum size of a form with files, in bytes. */
const FORM_BYTES_MAX = 8 * 1024 * 1024;
const CONTROL_PREFIX = '/control';
const GATEWAY_PAGE = '<html><body>The server is not available.</body></html>';
const GARBAGE = '{"resu';

/** End of a request: a response, or a closed connection. */
type Ending = StandInAnswer | 'disconnect' | { readonly cut: StandInAnswer };

/** HTTP transport of a stand-in, with faults that `POST /control/faults` requests. */
export function createTransport(config: TransportConfig): StandIn {
  const faults = createRequestFaults();
  const endingOf = async (request: IncomingMessage): Promise<Ending> => {
    const standInRequest = await parseRequest(config, request);
    const { method, path, query, body } = standInRequest;
    if (!isControl(path)) {
      const faultPath = config.faultPathOf?.(standInRequest) ?? path;
      const fault = faults.take({ method, path: faultPath, body });
      return fault ? endWithFault(config, standInRequest, fault) : config.answer(standInRequest);
    }
    const controlPath = path.slice(CONTROL_PREFIX.length);
    if (controlPath === '/faults') return faults.control(method, body);
    return config.control({ method, path: controlPath, query, body });
  };
  return {
    prefix: config.prefix,
    serve(request, response) {
      void endingOf(request)
        .catch((error: unknown) => answerToError(config, error))
        .then((ending) => end(config, response, ending));
    },
  };
}

const answerToError = ({ malformed }: TransportConfig, error: unknown): StandInAnswer =>
  error instanceof BadRequest || error instanceof SyntaxError ? malformed : { status: 500 };

const isControl = (path: string): boolean => path.startsWith(`${CONTROL_PREFIX}/`);

async function parseRequest(
  { prefix, jsonBytesMax, parse = JSON.parse }: TransportConfig,
  request: IncomingMessage,
): Promise<StandInRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const path = pathname.slice(prefix.length);
  return {
    method: request.method ?? '',
    path,
    query: searchParams,
    headers: request.headers,
    body: await parseBody(request, isControl(path) ? JSON.parse : parse, jsonBytesMax),
    base: `http://${request.headers.host ?? ''}${prefix}`,
    isWithoutEffect: false,
  };
}

/** Parsed text, members of a form, or undefined without a body. */
async function parseBody(
  request: IncomingMessage,
  parse: (text: string) => unknown,
  jsonBytesMax?: number,
): Promise<unknown> {
  const contentType = request.headers['content-type'];
  if (contentType !== undefined && isMultipart(contentType))
    return readForm(await readBody(request, FORM_BYTES_MAX), contentType);
  const text = (await readBody(request, jsonBytesMax)).toString();
  return text === '' ? undefined : parse(text);
}

async function endWithFault(
  config: TransportConfig,
  request: StandInRequest,
  { kind, delayMs, status, outcome }: RequestFault,
): Promise<Ending> {
  const wait = () => sleep(delayMs, undefined, { signal: config.closingSignal });
  if (kind !== 'late_answer') await wait();
  if (kind === 'reset') return 'disconnect';
  if (kind === 'echo') return echoAnswerOf(request, status);
  const failure: StandInAnswer = {
    status,
    ...(status >= 500 && { text: ['text/html', GATEWAY_PAGE] as const }),
  };
  if (kind === 'refuse') return failure;
  const isWithoutEffect = kind === 'without_effect';
  const answer = await config.answer({ ...request, isWithoutEffect, decline: outcome });
  if (kind === 'late_answer') await wait();
  if (kind === 'lose_answer') return 'disconnect';
  if (kind === 'cut_answer') return { cut: answer };
  if (kind === 'fail_after') return failure;
  return kind === 'garbage' ? { status: 200, text: ['application/json', GARBAGE] } : answer;
}

function end(config: TransportConfig, response: ServerResponse, ending: Ending): void {
  if (ending === 'disconnect') response.socket?.resetAndDestroy();
  else if ('cut' in ending) send(response, config.complete(ending.cut), true);
  else send(response, config.complete(ending), false);
}

function send(
  response: ServerResponse,
  { status, body, text, headers }: StandInAnswer,
  isCut: boolean,
): void {
  const [mediaType, content] = text ?? [
    'application/json; charset=utf-8',
    body === undefined ? '' : JSON.stringify(body),
  ];
  response.writeHead(status, {
    ...(content !== '' && { 'content-type': mediaType }),
    'content-length': Buffer.byteLength(content),
    ...headers,
  });
  if (!isCut) response.end(content === '' ? undefined : content);
  else response.write(content.slice(0, content.length / 2), () => response.socket?.destroy());
}
