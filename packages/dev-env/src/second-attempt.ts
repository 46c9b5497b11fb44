import { afterEach, beforeAll, type RunnerTask } from 'vitest';
import { isBuildMachine } from './config/env.ts';

/** Folders whose tests drive browsers and whole servers, which a slow machine can stall. Races and attacks are not in them. */
const WHOLE_SYSTEM = /\/(?:e2e|cli\/tests|tests\/scenarios)\//;

/** Lets tests of whole systems have a second attempt on a build machine. Other tests have one attempt. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern that no fixture is used.
beforeAll(({}, file) => {
  if (isBuildMachine() && WHOLE_SYSTEM.test(file.file.filepath)) allowSecondAttempt(file);
});

afterEach(({ task }) => {
  if (task.result?.retryCount && task.result.state !== 'fail')
    process.stderr.write(`Second attempt: ${task.file.name}: ${task.name}\n`);
});

function allowSecondAttempt(task: RunnerTask): void {
  if (task.type === 'test') task.retry = 1;
  else task.tasks.forEach(allowSecondAttempt);
}
