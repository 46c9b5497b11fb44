import { join } from 'node:path';
import { describeFailure } from '../kernel/plain-failure.ts';
import { isDiskFull } from '../supervisor/disk-full.ts';
import { clearLeftovers, createChildRecorder } from '../supervisor/leftovers.ts';
import { takeLock } from '../supervisor/lock.ts';
import { createStack, type Stack } from '../supervisor/stack.ts';
import type { ServiceContext } from './services.ts';

export interface SuperviseOptions extends Pick<ServiceContext, 'settings' | 'packages'> {
  readonly print: (text: string) => void;
  /** Directory of the lock and of the list of children; default: the data directory. */
  readonly stateDir?: string;
  /** Registers a callback for stop requests. The first request stops the services in order, the second kills them. */
  readonly onStopRequest: (stop: () => void) => void;
}

/** Facilities that a supervisor gives to the services that it starts. */
export interface Supervised extends Pick<ServiceContext, 'onSpawn'> {
  /** Directories that services write to, for the check of free disk space. A start may add to them. */
  readonly writableDirectories: string[];
}

/** Starts services by `startAll` and runs them until a stop is requested. Resolves with the exit code. */
export async function supervise(
  { settings, stateDir = settings.dataDir, print, onStopRequest }: SuperviseOptions,
  startAll: (supervised: Supervised, stack: Stack) => Promise<void>,
): Promise<number> {
  using lock = await takeLock(stateDir);
  const children = join(stateDir, 'children.json');
  await clearLeftovers(children);

  const exit = Promise.withResolvers<number>();
  const fail = (failure: unknown) => {
    if (requests === 0) print(describeFailure(failure));
    exit.resolve(1);
  };
  const writableDirectories = [settings.dataDir];
  const stack = createStack({ print, fail, diskFull: () => isDiskFull(writableDirectories) });
  let requests = 0;
  onStopRequest(() => {
    requests += 1;
    if (requests === 1)
      print('Stopping: requests in progress may finish. Press Ctrl-C again to stop immediately.');
    else stack.stop(0).catch(() => {});
    exit.resolve(0);
  });
  startAll({ onSpawn: createChildRecorder(children), writableDirectories }, stack).catch(fail);

  const code = await exit.promise;
  lock.markStopping();
  await stack.stop();
  if (requests > 0) print('Stopped.');
  return code;
}
