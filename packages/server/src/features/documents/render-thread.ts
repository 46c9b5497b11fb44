import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '../../platform/concurrency/thread.ts';
import { composeDocument } from './compose.ts';
import { drawDocument } from './draw.ts';
import type { IssuedDocument } from './facts.ts';

parentPort?.on('message', async (document: IssuedDocument) => {
  parentPort?.postMessage(await answerTo(document));
});

async function answerTo(document: IssuedDocument): Promise<ThreadAnswer> {
  try {
    return { bytes: await drawDocument(composeDocument(document)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
