import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import type { ProcessorAccountRef } from '@florin/contract/protocol/processor-accounts.ts';
import { LARGE_ANSWER_BYTES_MAX, type RelayMethod } from '@florin/contract/protocol/vault.ts';
import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { faultOf } from '../kernel/logger.ts';
import { accountKeyOf } from '../processor-accounts/account-store.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createClientAgents } from './client-agents.ts';
import type { ClientIdentity } from './client-identity.ts';

/** Enough for every message that a server has in flight: none waits for another's slow response. */
export const CONNECTIONS_PER_ORIGIN_DEFAULT = 1_024;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 30_000;
export const ANSWER_BYTES_MAX = 64 * 1024;
/** Few, since each may hold a large response in memory. */
const LARGE_CONNECTIONS_PER_ORIGIN = 2;

/** A request with card data, ready to send. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: RelayMethod;
  /** Null for a request without a body. */
  readonly body: string | Buffer | null;
  readonly timeout_ms: number;
  /** Milliseconds since 1970. Afterwards no byte is sent. */
  readonly not_after: number;
  /** Whether the response may have `LARGE_ANSWER_BYTES_MAX` bytes. */
  readonly large_answer?: boolean;
  /** Absent: connections that accounts share. */
  readonly client?: ClientIdentity;
}

/** `not_sent` only if it is certain that no byte was sent. */
export type SendResult =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
    }
  | { readonly outcome: 'not_sent' | 'lost'; readonly why: string };

export interface Sender extends AsyncDisposable {
  /** Sends a request. Never throws, redirects or retries. */
  send(request: OutgoingRequest): Promise<SendResult>;
  /** Closes the connections that an account has for itself, after their messages. */
  closeAccount(account: ProcessorAccountRef): void;
}

/** Sends over persistent connections, at most `connections_max` per origin. */
export function createSender(
  clock: Clock,
  connections_max = CONNECTIONS_PER_ORIGIN_DEFAULT,
): Sender {
  const breaker = createBreaker(clock);
  const sharedAgent = createAgent(connections_max);
  const largeAgent = createAgent(LARGE_CONNECTIONS_PER_ORIGIN, undefined, LARGE_ANSWER_BYTES_MAX);
  const clientAgents = createClientAgents(clock, (client) => createAgent(connections_max, client));
  return {
    async send(request) {
      if (!areHeadersUsable(request.headers))
        return { outcome: 'not_sent', why: 'header_unusable' };
      if (!breaker.allows(destinationOf(request)))
        return { outcome: 'not_sent', why: 'origin_unreachable' };
      const { client, large_answer } = request;
      const plainAgent = large_answer ? largeAgent : sharedAgent;
      const agent = client ? clientAgents.agentFor(client) : plainAgent;
      return exchange({ agent, clock, breaker }, request);
    },
    closeAccount: (account) => clientAgents.close(accountKeyOf(account)),
    async [Symbol.asyncDispose]() {
      await Promise.all([
        sharedAgent.destroy(),
        largeAgent.destroy(),
        clientAgents[Symbol.asyncDispose](),
      ]);
    },
  };
}

const createAgent = (
  connections: number,
  client?: ClientIdentity,
  maxResponseSize = ANSWER_BYTES_MAX,
): Agent =>
  new Agent({
    connections,
    pipelining: 1,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(client && { cert: client.certificate, key: client.private_key }),
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize,
    // Each request has its own deadline, which includes the wait for a connection.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Destination for the breaker. A refused certificate of one account must not stop the others. */
const destinationOf = ({ url, client }: OutgoingRequest): string =>
  client ? `${url.origin} ${client.account}` : url.origin;

/** Whether Undici accepts the headers. After refusing headers, its pool would lose the next message. */
function areHeadersUsable(headers: OutgoingRequest['headers']): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

interface ExchangeDeps {
  readonly agent: Agent;
  readonly clock: Clock;
  readonly breaker: Breaker;
}

function exchange(
  { agent, clock, breaker }: ExchangeDeps,
  outgoingRequest: OutgoingRequest,
): Promise<SendResult> {
  const { method, url, headers, body, timeout_ms, not_after } = outgoingRequest;
  const destination = destinationOf(outgoingRequest);
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  let dispatchController: Dispatcher.DispatchController | undefined;
  let hasTimedOut = false;
  let status = 0;
  let answerHeaders: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];

  const finish = (result: SendResult): void => {
    clearTimeout(timer);
    resolve(result);
  };
  const fail = (why: string): void =>
    finish({ outcome: dispatchController ? 'lost' : 'not_sent', why });
  const timer = setTimeout(() => {
    hasTimedOut = true;
    if (dispatchController) breaker.recordFailure(destination, 'silent');
    fail('timeout');
    dispatchController?.abort(new Error('timeout'));
  }, timeout_ms);

  agent.dispatch(
    { origin: url.origin, path: url.pathname + url.search, method, headers, body },
    {
      // Runs immediately before the first byte is written. Aborting here prevents every byte.
      onRequestStart(controller) {
        breaker.recordConnected(destination);
        if (hasTimedOut) controller.abort(new Error('timeout'));
        else if (clock() >= not_after) {
          fail('too_late');
          controller.abort(new Error('too_late'));
        } else dispatchController = controller;
      },
      onResponseStart(_controller, statusCode, receivedHeaders) {
        breaker.recordAlive(destination);
        status = statusCode;
        answerHeaders = receivedHeaders;
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () =>
        finish({
          outcome: 'answered',
          status,
          headers: answerHeaders,
          text: Buffer.concat(chunks).toString(),
        }),
      onResponseError(_controller, error) {
        const hasStarted = dispatchController !== undefined;
        if (hasStarted && !hasTimedOut) breaker.recordAlive(destination);
        if (!hasStarted && isConnectFailure(error)) breaker.recordFailure(destination, 'refused');
        fail(reasonOf(error, hasStarted));
      },
    },
  );
  return promise;
}

/** A request that was aborted before it started says nothing about the origin. */
const isConnectFailure = ({ message }: Error): boolean =>
  message !== 'timeout' && message !== 'too_late';

function reasonOf(error: Error, hasStarted: boolean): string {
  if (faultOf(error) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'answer_too_large';
  return hasStarted ? 'connection_lost' : 'connection_failed';
}
