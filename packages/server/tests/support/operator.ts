import { randomUUID } from 'node:crypto';
import type { Stack } from '@florin/dev-env/stack.ts';
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
  /** Sends a request as above, and returns the response's JSON. Throws with the response of a refused request. */
  change(method: string, path: string, body: object): Promise<BrowserAnswer['body']>;
  /** Takes an enforcement action. Throws with the response if the server refuses it. */
  takeAction(
    merchantId: string,
    action: 'quarantine' | 'ban',
    modes?: readonly string[],
  ): Promise<void>;
  liftActions(merchantId: string, modes?: readonly string[]): Promise<void>;
}

const PATH = '/dashboard/api/operator';

/** `stack` may also be a Florin of other processes. */
export function operatorOf({
  stack,
}: {
  readonly stack: Pick<Stack, 'baseUrl' | 'credentials'>;
}): Operator {
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
  const change: Operator['change'] = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    send,
    change,
    get: (path) => withSession((session) => session.get(`${PATH}${path}`)),
    takeAction: async (merchantId, action, modes = ['sandbox']) =>
      void (await change('POST', `/merchants/${merchantId}/measures`, {
        reason: 'A complaint',
        action,
        modes,
      })),
    liftActions: async (merchantId, modes = ['sandbox', 'live']) =>
      void (await change('POST', `/merchants/${merchantId}/measures/lift`, {
        reason: 'It was cleared up',
        modes,
      })),
  };
}
