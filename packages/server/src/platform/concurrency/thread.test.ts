import { expect, it } from 'vitest';
import { createThread } from './thread.ts';

/** Answers a task with its text. The task `forever` never ends. */
const PROGRAM = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (task) => {
  while (task === 'forever');
  parentPort.postMessage({ bytes: new TextEncoder().encode(task) });
});`;
const TASK_MAX_MS = 2_000;

it('a task that never ends is stopped, and the next task gets a new thread', async () => {
  await using thread = createThread(
    new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`),
    TASK_MAX_MS,
  );
  const results = await Promise.allSettled([
    thread.run('forever', 'one'),
    thread.run('next', 'other'),
  ]);
  expect(results[0]).toMatchObject({ reason: { message: 'the task took longer than 2000 ms' } });
  expect(String(results[1]?.status === 'fulfilled' && results[1].value)).toBe('next');
});
