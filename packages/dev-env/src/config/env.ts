import { join } from 'node:path';

/** The administrator's address of the PostgreSQL that tests make their databases on; the run's global setup sets it. */
export function testPostgresUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url = env.FLORIN_TEST_POSTGRES;
  if (!url) throw new Error('FLORIN_TEST_POSTGRES is not set; run tests with npm test or Vitest.');
  return url;
}

/** The server that someone brings for the tests, if they bring one. */
export const givenPostgresUrl = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.FLORIN_TEST_POSTGRES || undefined;

/** Tells the workers, which inherit this process's environment. */
export function publishPostgresUrl(url: string, env: NodeJS.ProcessEnv = process.env): void {
  env.FLORIN_TEST_POSTGRES = url;
}

/** Has the workers, and what they start, write what is temporary there; Node's compiled code is kept for the next process. */
export function publishTemporary(directory: string, env: NodeJS.ProcessEnv = process.env): void {
  env.TMPDIR = directory;
  env.NODE_COMPILE_CACHE = join(directory, 'compiled');
}

/** The browser that the environment names, if it names one. */
export const chromiumFromEnv = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.CHROMIUM_PATH || undefined;

/** Tells whatever launches a browser, and the processes that inherit this environment, where one is. */
export function publishChromium(path: string, env: NodeJS.ProcessEnv = process.env): void {
  env.CHROMIUM_PATH = path;
}

/** What a started Florin inherits: this environment without what would point it elsewhere. */
export function inheritedEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { DATABASE_URL, VAULT_DATABASE_URL, NODE_OPTIONS, ...rest } = env;
  return rest;
}
