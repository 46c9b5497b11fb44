import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { networkPaths } from '@florin/contract/protocol/network.ts';

/**
 * Behaviour towards authorisations. `decline`: with a card that the issuer declines. `hide`: answers a decline, although
 * the network approved.
 */
export type NetworkMode = 'approve' | 'decline' | 'hide';

/** A network between Florin and a simulator, which a test switches. */
export interface SwitchableNetwork extends AsyncDisposable {
  readonly url: string;
  mode: NetworkMode;
  /** Number of authorisations whose answer is lost next. */
  lostAnswers: number;
  /** Refuses connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const INSUFFICIENT_FUNDS = '4444333322221111';

export async function startSwitchableNetwork(simulatorUrl: string): Promise<SwitchableNetwork> {
  const state = { mode: 'approve' as NetworkMode, lostAnswers: 0 };
  const server = createServer(async (request, response) => {
    const answer = await forward(simulatorUrl, request, state.mode);
    if (isAuthorisation(request) && state.lostAnswers > 0) {
      state.lostAnswers--;
      response.destroy();
    } else
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  const port = await listen(server, 0);
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    stop,
    start: async () => void (await listen(server, port)),
    [Symbol.asyncDispose]: stop,
  });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const isAuthorisation = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url === networkPaths.authorisations;

async function forward(simulatorUrl: string, request: IncomingMessage, mode: NetworkMode) {
  const sentBody = await text(request);
  const isSwitched = isAuthorisation(request);
  const { method = 'GET', url = '/' } = request;
  const body = isSwitched && mode === 'decline' ? withCard(sentBody) : sentBody;
  const answer = await fetch(simulatorUrl + url, {
    method,
    ...(method === 'POST' && { body, headers: { 'content-type': 'application/json' } }),
  });
  const answerBody = await answer.text();
  return {
    status: answer.status,
    body: isSwitched && mode === 'hide' ? asDecline(answerBody) : answerBody,
  };
}

function withCard(body: string): string {
  const message = JSON.parse(body);
  return JSON.stringify({ ...message, card: { ...message.card, number: INSUFFICIENT_FUNDS } });
}

const asDecline = (body: string): string =>
  JSON.stringify({ ...JSON.parse(body), result: 'declined', response_code: '51' });
