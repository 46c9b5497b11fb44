import type { Environment } from '@florin/contract/variables.ts';

export interface SimulatorEnv {
  /** Listening port; 0 selects a free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Listening address; loopback by default. */
  readonly host?: string;
  /** Origin of the bank's pages, if browsers run on other machines. */
  readonly acsUrl?: string;
}

const DEFAULT_DATA_DIR = '.florin/simulator';

/** Reads the environment. Throws an error that names an invalid variable. */
export function readEnv(
  env: Environment & Readonly<Record<string, string | undefined>> = process.env,
): SimulatorEnv {
  const port = Number(env.SIMULATOR_PORT ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('SIMULATOR_PORT must be a port number between 0 and 65535.');
  }
  refuseLiveKeys(env);
  const acsUrl = acsUrlOf(env);
  const host = env.SIMULATOR_HOST;
  return {
    port,
    dataDir: env.SIMULATOR_DATA ?? DEFAULT_DATA_DIR,
    ...(host && { host }),
    ...(acsUrl && { acsUrl }),
  };
}

const LIVE_KEY = /ept_live_s/;

/** Refuses live keys: the simulated bank approves everyone who knows one public code. */
function refuseLiveKeys(env: Readonly<Record<string, string | undefined>>): void {
  const variableName = Object.keys(env).find((name) => LIVE_KEY.test(env[name] ?? ''));
  if (variableName)
    throw new Error(`${variableName} holds a live key; the simulator is for the sandbox only.`);
}

function acsUrlOf({ SIMULATOR_ACS_URL: url }: Environment): string | undefined {
  if (!url) return undefined;
  if (/^https?:/.test(url) && URL.parse(url)?.origin === url) return url;
  throw new Error('SIMULATOR_ACS_URL must be an origin, such as https://acs.example.com.');
}
