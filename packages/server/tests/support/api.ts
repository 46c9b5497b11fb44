import { leaseStack, type SharedStack } from '@florin/dev-env/shared-stack.ts';
import { type Stack, type StackOptions, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll } from 'vitest';
import { type Client, createClient } from './client.ts';
import { type Fixtures, openFixtures } from './merchants.ts';

/** A running Florin, with a merchant's clients in both modes. */
export interface Api<S extends SharedStack = SharedStack> {
  stack: S;
  /** Client with the sandbox secret key. */
  client: Client;
  /** Client with the live secret key. */
  live: Client;
  /** Direct database access that creates merchants and keys, which the API cannot. */
  fixtures: Fixtures;
  /** A client with the given key. */
  as(key: string): Client;
}

/** Uses the stack that the test files of one process share, with a new merchant for this file. */
export function useApi(): Api {
  return prepareApi(async (cleanup) => {
    const { stack } = cleanup.use(await leaseStack());
    const fixtures = cleanup.use(await openFixtures(stack.databaseUrl, stack.globalDatabaseUrl));
    const { credentials, ...merchant } = await fixtures.makeDemoMerchant(stack.baseUrl);
    return {
      stack: { ...stack, credentials },
      fixtures: { ...fixtures, getDemoMerchant: async () => merchant },
    };
  });
}

/** Starts a stack for this file alone: for tests that configure it, stop its parts or read complete tables. */
export function useOwnStack(options: StackOptions = {}): Api<Stack> {
  return prepareApi(async (cleanup) => {
    const stack = cleanup.use(await startStack(options));
    return {
      stack,
      fixtures: cleanup.use(await openFixtures(stack.databaseUrl, stack.globalDatabaseUrl)),
    };
  });
}

function prepareApi<S extends SharedStack>(
  prepare: (cleanup: AsyncDisposableStack) => Promise<Pick<Api<S>, 'stack' | 'fixtures'>>,
): Api<S> {
  const api = {} as Api<S>;
  const cleanup = new AsyncDisposableStack();
  beforeAll(async () => {
    Object.assign(api, await prepare(cleanup));
    const { baseUrl, credentials } = api.stack;
    api.as = (key) => createClient(baseUrl, key);
    api.client = api.as(credentials.sandbox.secret_key);
    api.live = api.as(credentials.live.secret_key);
  });
  afterAll(() => cleanup.disposeAsync());
  return api;
}
