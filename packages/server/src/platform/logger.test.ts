import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const LOGGER = join(import.meta.dirname, 'logger.ts');
/** Logs more than the output buffer holds, reports that on stderr, and exits as a server does. */
const PROGRAM = `
  import { createLogger } from ${JSON.stringify(LOGGER)};
  import { setTimeout as sleep } from 'node:timers/promises';
  const logger = createLogger('info');
  for (let at = 0; at < 40; at += 1) {
    logger.info({ text: 'x'.repeat(50_000) }, 'a line');
    await sleep(5);
  }
  process.send('alive', () => process.exit(0));
`;

it.each([
  ['a full disk', () => openSync('/dev/full', 'w')],
  ['a pipe whose reader is gone', () => 'pipe' as const],
])('a process that logs to %s continues and stops normally', async (_name, output) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', output(), 'ignore', 'ipc'],
  });
  child.stdout?.destroy();
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  expect([messages, code]).toEqual([['alive'], 0]);
});
