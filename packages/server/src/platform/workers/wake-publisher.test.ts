import { expect, it } from 'vitest';
import type { Db } from '../database/db.ts';
import { createLogger } from '../logger.ts';
import { createPublishedSignal, createWakePublisher } from './wake-publisher.ts';

const logger = createLogger('silent');

/** A database that keeps what it is told, and answers when the test lets it. */
function createRecorder() {
  const sent: string[][] = [];
  const db: Db = {
    async query(_sql, [channels]) {
      sent.push([...(channels as string[])]);
      return [];
    },
  };
  return { db, sent };
}

it('sends all wakes of a moment in one statement, each loop once', async () => {
  const { db, sent } = createRecorder();
  await using publisher = createWakePublisher(db, 'public', logger);
  const [authorise, deliver] = ['authorise', 'deliver'].map((loop) =>
    createPublishedSignal(loop, publisher),
  );
  for (let payment = 0; payment < 1_000; payment += 1) {
    authorise?.raise();
    deliver?.raise();
  }
  await publisher[Symbol.asyncDispose]();
  expect(sent).toEqual([['florin_authorise', 'florin_deliver']]);
});

it('wakes processes of its own schema', async () => {
  const { db, sent } = createRecorder();
  const publisher = createWakePublisher(db, 'cell_a', logger);
  publisher.publish('authorise');
  await publisher[Symbol.asyncDispose]();
  expect(sent).toEqual([['florin_cell_a_authorise']]);
});

it('sends wakes that come while it sends, before it ends', async () => {
  const { db, sent } = createRecorder();
  const publisher = createWakePublisher(db, 'public', logger);
  publisher.publish('authorise');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  publisher.publish('refund');
  await publisher[Symbol.asyncDispose]();
  expect(sent).toEqual([['florin_authorise'], ['florin_refund']]);
});

it('survives a database that refuses, since loops poll', async () => {
  const db: Db = { query: () => Promise.reject(new Error('gone')) };
  const publisher = createWakePublisher(db, 'public', logger);
  publisher.publish('authorise');
  await expect(publisher[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
