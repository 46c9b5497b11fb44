import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '../../jsonapi/parse-document/json-body.ts';
import { bodyMembersOf } from './body.ts';
import { endToEnd } from './cell-client.ts';
import type { RouterContext } from './context.ts';
import { noteAnswer } from './exchange.ts';
import { joinPages, type PageOrder } from './join-pages.ts';

const OK = 200;
/** Name for the metrics: the answers of all cells together. */
const ALL_CELLS = 'all';
/** Longest wait for a cell: without the list, nobody sees the merchants of the other cells. */
const LIST_MS = 3_000;

/** Answers with the lists of all cells. `missing_cells` names those that do not answer. */
export async function answerTogether(
  { cells, client, logger }: RouterContext,
  reply: FastifyReply,
  order: PageOrder | undefined,
): Promise<void> {
  const sent = await Promise.allSettled(
    cells.map((cell) => client.send(cell, reply, { is_plain: true, answer_ms: LIST_MS })),
  );
  const answers = sent.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  const good = answers.filter((answer) => answer?.statusCode === OK) as IncomingMessage[];
  const first = good[0] ?? answers.find((answer) => answer !== undefined);
  for (const answer of answers) if (answer !== first && answer?.statusCode !== OK) answer?.resume();
  if (!first) throw (sent[0] as PromiseRejectedResult).reason;
  if (good.length === 0) return client.relay(reply, first);
  const missing = cells.filter((_, at) => answers[at]?.statusCode !== OK).map(({ name }) => name);
  if (missing.length > 0) logger.warn({ cells: missing }, 'cells are left out of a list');
  const documents = await Promise.all(
    good.map(async (answer) => bodyMembersOf(await text(answer))),
  );
  const joined = order ? joinPages(documents, order) : joinedLists(documents);
  const joinedText = JSON.stringify({
    ...joined,
    ...(missing.length > 0 && { missing_cells: missing }),
  });
  noteAnswer(reply, ALL_CELLS);
  reply.hijack();
  reply.raw
    .writeHead(OK, [
      ...endToEnd(first, ['content-length', 'etag']),
      ...['content-length', String(Buffer.byteLength(joinedText))],
    ])
    .end(joinedText);
}

/** The first document, with the members of the lists of all. */
const joinedLists = (documents: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(
    Object.entries(documents[0] ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? documents.flatMap((one) => one[name] ?? []) : value,
    ]),
  );
