import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { type Browser, type BrowserAnswer, signIn } from './browser.ts';

/** An operator who calls the operators' endpoints. */
export interface Operator {
  get(path: string): Promise<BrowserAnswer>;
  /** Sends a request; signs in again if the session has expired. Requests without a key get a new one. */
  send(
    method: string,
    path: string,
    body: object,
    key?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<BrowserAnswer>;
  /** Takes an enforcement action. Throws with the response if the server refuses it. */
  takeAction(
    merchantId: string,
    action: 'quarantine' | 'ban',
    modes?: readonly string[],
  ): Promise<void>;
  liftActions(merchantId: string, modes?: readonly string[]): Promise<void>;
}

const PATH = '/dashboard/api/operator';

export function operatorOf({ stack }: Pick<Api, 'stack'>): Operator {
  const openSession = () => signIn(stack.baseUrl, stack.credentials.account);
  let browser: Promise<Browser> | undefined;
  const isSessionOver = ({ status, body }: BrowserAnswer): boolean =>
    status === 401 || body?.errors?.[0]?.code === 'sign_in_again';
  const withSession = async (send: (browser: Browser) => Promise<BrowserAnswer>) => {
    browser ??= openSession();
    const answer = await send(await browser);
    if (!isSessionOver(answer)) return answer;
    browser = openSession();
    return send(await browser);
  };
  const send: Operator['send'] = (method, path, body, key = randomUUID(), headers = {}) =>
    withSession((session) =>
      session.send(method, `${PATH}${path}`, body, { ...headers, 'idempotency-key': key }),
    );
  const expectDone = async (path: string, body: object): Promise<void> => {
    const { status, body: answerBody } = await send('POST', path, body);
    if (status !== 204) throw new Error(`${path}: ${status} ${JSON.stringify(answerBody)}`);
  };
  return {
    send,
    get: (path) => withSession((session) => session.get(`${PATH}${path}`)),
    takeAction: (merchantId, action, modes = ['sandbox']) =>
      expectDone(`/merchants/${merchantId}/measures`, { reason: 'A complaint', action, modes }),
    liftActions: (merchantId, modes = ['sandbox', 'live']) =>
      expectDone(`/merchants/${merchantId}/measures/lift`, { reason: 'It was cleared up', modes }),
  };
}
