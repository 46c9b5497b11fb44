import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { readBytes } from './body.ts';
import { type CellAddress, CellDown } from './cell-client.ts';
import type { RouterContext } from './context.ts';

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const SERVER_FAULT = 500;

/**
 * Sends a notification to the cell that has the account at the processor. Only a cell that takes it is remembered: other
 * refusals may come before the account is looked up.
 */
export async function notify(
  context: RouterContext,
  reply: FastifyReply,
  account: string,
): Promise<void> {
  const { cells, cellByAccount, client } = context;
  const body = await readBytes(reply);
  const known = cellByAccount.get(account);
  let answer: IncomingMessage | undefined;
  let down: CellDown | undefined;
  for (const cell of known ? [known, ...cells.filter((other) => other !== known)] : cells) {
    const next = await sendOrDown(context, reply, { cell, body });
    if (next instanceof CellDown) {
      down = next;
      continue;
    }
    const { statusCode: status = 0 } = next;
    if (isTaken(status)) cellByAccount.set(account, cell);
    if (isTaken(status) || status === UNAUTHORIZED) {
      answer?.resume();
      return client.relay(reply, next);
    }
    // A refusal of the request says more than that another cell has no such account.
    const [kept, left] = status === NOT_FOUND && answer ? [answer, next] : [next, answer];
    left?.resume();
    answer = kept;
  }
  // The account may be in a cell that is down, so the processor must send the notification again.
  if (!down && answer) return client.relay(reply, answer);
  answer?.resume();
  throw down;
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** The answer of a cell. A fault does not tell that the account is there. */
async function sendOrDown(
  { client }: RouterContext,
  reply: FastifyReply,
  { cell, body }: { readonly cell: CellAddress; readonly body: Buffer },
): Promise<IncomingMessage | CellDown> {
  try {
    const answer = await client.send(cell, reply, { body });
    const { statusCode: status = 0 } = answer;
    if (status < SERVER_FAULT) return answer;
    answer.resume();
    return new CellDown(cell.name, new Error(`status ${status}`));
  } catch (error) {
    if (error instanceof CellDown) return error;
    throw error;
  }
}
