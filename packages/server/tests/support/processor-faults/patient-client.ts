import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client, clientOver } from '../client.ts';

const TRIES_MAX = 150;
const PAUSE_MS = 200;
const UNAVAILABLE = 503;

/** The client of a merchant who repeats requests, with their idempotency key, while the server is stopped. */
export const patientClient = ({ send }: Client): Client =>
  clientOver(async (method, path, body, headers = {}) => {
    const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
    for (let tries = 1; ; tries += 1) {
      const answer = await sendOnce(() => send(method, path, body, { ...key, ...headers }));
      if (answer) return answer;
      if (tries === TRIES_MAX) throw new Error(`${method} ${path}: the server does not answer`);
      await sleep(PAUSE_MS);
    }
  });

/** Undefined if the server is stopped. */
async function sendOnce(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    const answer = await send();
    return answer.status === UNAVAILABLE ? undefined : answer;
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
    return undefined;
  }
}
