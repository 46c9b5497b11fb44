import { join } from 'node:path';
import { startChild } from '@florin/cli/supervisor/child.ts';
import { openLogFile } from '@florin/cli/supervisor/log-file.ts';
import type { Service } from '@florin/cli/supervisor/slot.ts';
import { inheritedEnv, type ProcessSettings, settingsAsEnv } from './config/env.ts';
import type { Kill, PlannedPause } from './plan.ts';

const titles = { simulator: 'The network', vault: 'The vault', server: 'The server' } as const;

/** A process of a run with its planned kills and pauses. */
interface Part {
  readonly name: keyof typeof titles;
  readonly settings: Omit<ProcessSettings, 'kill' | 'stalls'>;
  /** Kills in order of the process's restarts. After the last one the process is not killed again. */
  readonly kills: readonly Kill[];
  /** Pauses before the first restart. */
  readonly stalls: readonly PlannedPause[];
}

/** The process as the supervisor of `florin start` runs it, but with a program of the run. */
export function serviceOf({ name, settings, kills, stalls }: Part): Service {
  const title = titles[name];
  const { dataDir } = settings;
  const script = join(import.meta.dirname, `${name}-process.ts`);
  const log = openLogFile(join(dataDir, 'logs', `${name}.log`));
  let startCount = 0;
  return {
    title,
    start() {
      const currentStalls = startCount === 0 ? stalls : [];
      const kill = kills[startCount++];
      const env = {
        ...inheritedEnv(join(dataDir, '..', 'cache')),
        ...settingsAsEnv({ ...settings, stalls: currentStalls, ...(kill && { kill }) }),
      };
      return startChild({ title, script, env, log });
    },
  };
}
