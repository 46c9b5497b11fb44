import { join } from 'node:path';
import { startChild } from '@florin/cli/supervisor/child.ts';
import { openLogFile } from '@florin/cli/supervisor/log-file.ts';
import type { Service } from '@florin/cli/supervisor/slot.ts';
import { inheritedEnv, type ProcessSettings, settingsAsEnv } from './config/env.ts';
import type { Kill, Stall } from './plan.ts';

const titles = { simulator: 'The network', vault: 'The vault', server: 'The server' } as const;

/** What a process of a run is, and how each of its lives ends. */
interface Part {
  readonly name: keyof typeof titles;
  readonly settings: Omit<ProcessSettings, 'kill' | 'stalls'>;
  /** The end of the first life, of the second and so on; the one after these lives on. */
  readonly kills: readonly Kill[];
  /** Where the first life stands still. */
  readonly stalls: readonly Stall[];
}

/** The process of a part as the supervisor of `florin start` runs it, with another program. */
export function serviceOf({ name, settings, kills, stalls }: Part): Service {
  const title = titles[name];
  const { dataDir } = settings;
  const script = join(import.meta.dirname, `${name}-process.ts`);
  const log = openLogFile(join(dataDir, 'logs', `${name}.log`));
  let lives = 0;
  return {
    title,
    start() {
      const stallsNow = lives === 0 ? stalls : [];
      const kill = kills[lives++];
      const env = {
        ...inheritedEnv(),
        NODE_COMPILE_CACHE: join(dataDir, '..', 'cache'),
        ...settingsAsEnv({ ...settings, stalls: stallsNow, ...(kill && { kill }) }),
      };
      return startChild({ title, script, env, log });
    },
  };
}
