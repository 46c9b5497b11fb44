export interface SimulatorEnv {
  /** 0 takes a free one. */
  readonly port: number;
  readonly dataDir: string;
}

const DEFAULT_DATA_DIR = '.florin/simulator';

/** Reads the process's environment; throws naming the variable that makes no sense. */
export function readEnv(
  env: Readonly<Record<string, string | undefined>> = process.env,
): SimulatorEnv {
  const port = Number(env.SIMULATOR_PORT ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('SIMULATOR_PORT must be a port number between 0 and 65535.');
  }
  return { port, dataDir: env.SIMULATOR_DATA ?? DEFAULT_DATA_DIR };
}
