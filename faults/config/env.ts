import type { ClockSettings } from '../fast-clock.ts';
import type { Kill, PlannedPause } from '../plan.ts';

/** Settings that a run passes to its processes. */
export interface ProcessSettings extends ClockSettings {
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly socketPath: string;
  readonly simulatorUrl: string;
  /** Seed of the run's plan, from which the network derives its message faults. */
  readonly seed: number;
  /** The process's next kill; absent if it is not killed. */
  readonly kill?: Kill;
  /** Pauses of the process before its first restart. */
  readonly stalls: readonly PlannedPause[];
  /** File in which a process records its pauses. */
  readonly stallsFile: string;
  /** File in which a process records that it kills itself. */
  readonly killsFile: string;
  /** File in which the network records each simulated fault. */
  readonly faultsFile: string;
  /** While this file exists, no process kills itself and no message has a fault. */
  readonly calmFile: string;
}

const SETTINGS_VARIABLE = 'FLORIN_FAULTS_PROCESS';

export const settingsAsEnv = (settings: ProcessSettings): Record<string, string> => ({
  [SETTINGS_VARIABLE]: JSON.stringify(settings),
});

/** Reads the settings. Throws if the process was not started by a run. */
export function settingsFromEnv(env: NodeJS.ProcessEnv = process.env): ProcessSettings {
  const text = env[SETTINGS_VARIABLE];
  if (!text)
    throw new Error(`${SETTINGS_VARIABLE} is not set; start a run with npm run test:faults.`);
  return JSON.parse(text) as ProcessSettings;
}

/** Environment that the processes of a run inherit; `cacheDir` is for compiled code, unless this process has a cache. */
export const inheritedEnv = (
  cacheDir: string,
  { PATH = '', HOME = '', NODE_COMPILE_CACHE = cacheDir }: NodeJS.ProcessEnv = process.env,
) => ({ PATH, HOME, NODE_COMPILE_CACHE });
