import { join } from 'node:path';
import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';

/** Returns the administrator's URL of the PostgreSQL for test databases. The run's global setup sets it. */
export function testPostgresUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url = env.FLORIN_TEST_POSTGRES;
  if (!url) throw new Error('FLORIN_TEST_POSTGRES is not set; run tests with npm test or Vitest.');
  return url;
}

/** Returns the URL of an external PostgreSQL for the tests, if the environment has one. */
export const givenPostgresUrl = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.FLORIN_TEST_POSTGRES || undefined;

/** Returns the schema of the server's tables in test databases: `public`, unless `FLORIN_TEST_SCHEMA` names another. */
export const testSchema = (env: NodeJS.ProcessEnv = process.env): string =>
  env.FLORIN_TEST_SCHEMA || DEFAULT_SCHEMA;

/** Returns whether stacks of tests have people in another database (`FLORIN_TEST_PEOPLE_APART`). */
export const testsPeopleApart = (env: NodeJS.ProcessEnv = process.env): boolean =>
  env.FLORIN_TEST_PEOPLE_APART === '1';

/** Returns whether a build machine runs the tests. Build services set `CI`, and so does `.ci/run`. */
export const isBuildMachine = (env: NodeJS.ProcessEnv = process.env): boolean => Boolean(env.CI);

/** Passes the URL to the workers, which inherit this process's environment. */
export function publishPostgresUrl(url: string, env: NodeJS.ProcessEnv = process.env): void {
  env.FLORIN_TEST_POSTGRES = url;
}

/** Sets the temporary directory of the workers and their children, and their compile cache unless one is set. */
export function publishTemporary(directory: string, env: NodeJS.ProcessEnv = process.env): void {
  env.TMPDIR = directory;
  env.NODE_COMPILE_CACHE ??= join(directory, 'compiled');
}

/** Returns the browser's path from the environment, or undefined. */
export const chromiumFromEnv = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.CHROMIUM_PATH || undefined;

/** Passes the browser's path to all processes that inherit this environment. */
export function publishChromium(path: string, env: NodeJS.ProcessEnv = process.env): void {
  env.CHROMIUM_PATH = path;
}

/** Environment of a child process with these variables only. Shares the run's compile cache. */
export const bareEnv = (
  variables: Readonly<Record<string, string>>,
  { PATH = '', NODE_COMPILE_CACHE = '' }: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({ PATH, NODE_COMPILE_CACHE, ...variables });

/** Environment for a started Florin, without variables that would connect it to another database. */
export function inheritedEnv(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { DATABASE_URL, VAULT_DATABASE_URL, NODE_OPTIONS, ...rest } = env;
  return rest;
}
