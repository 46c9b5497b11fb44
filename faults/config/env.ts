import type { ClockSettings } from '../fast-clock.ts';
import type { Kill, Stall } from '../plan.ts';

/** What a process of a run is told by the one that starts it. */
export interface ProcessSettings extends ClockSettings {
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly socketPath: string;
  readonly simulatorUrl: string;
  /** Of the run's plan, which the network needs for the faults of messages. */
  readonly seed: number;
  /** Absent where the process lives on. */
  readonly kill?: Kill;
  /** Where the process stands still; only the first life of one does. */
  readonly stalls: readonly Stall[];
  /** Where a process notes that it stands still. */
  readonly stallsFile: string;
  /** Where a process notes that it ends itself. */
  readonly killsFile: string;
  /** Where the network notes each message that something befalls. */
  readonly faultsFile: string;
  /** While this file is there no process ends itself and nothing befalls a message. */
  readonly calmFile: string;
}

const NAME = 'FLORIN_FAULTS_PROCESS';

export const settingsAsEnv = (settings: ProcessSettings): Record<string, string> => ({
  [NAME]: JSON.stringify(settings),
});

/** Throws where this process was not started by a run. */
export function settingsFromEnv(env: NodeJS.ProcessEnv = process.env): ProcessSettings {
  const text = env[NAME];
  if (!text) throw new Error(`${NAME} is not set; start a run with npm run test:faults.`);
  return JSON.parse(text) as ProcessSettings;
}

/** What processes of a run need of this one's environment. */
export const inheritedEnv = ({ PATH = '', HOME = '' }: NodeJS.ProcessEnv = process.env) => ({
  PATH,
  HOME,
});
