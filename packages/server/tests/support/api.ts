import { type Stack, type StackOptions, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll } from 'vitest';
import { type Client, createClient } from './client.ts';
import { type Books, openBooks } from './merchants.ts';

/** A running Florin, and the demo merchant's programs of both modes. */
export interface Api {
  stack: Stack;
  /** Speaks with the sandbox secret key. */
  client: Client;
  /** Speaks with the live secret key. */
  live: Client;
  /** Makes merchants and keys that the interface itself has no way to make. */
  books: Books;
  /** A client of any key. */
  as(key: string): Client;
}

/** Starts one stack for the tests of a file. Its parts are there from the first test on. */
export function useApi(options: StackOptions = {}): Api {
  const api = {} as Api;
  beforeAll(async () => {
    api.stack = await startStack(options);
    const { baseUrl, credentials, databaseUrl } = api.stack;
    api.as = (key) => createClient(baseUrl, key);
    api.client = api.as(credentials.sandbox.secret_key);
    api.live = api.as(credentials.live.secret_key);
    api.books = await openBooks(databaseUrl);
  });
  afterAll(async () => {
    await api.books?.[Symbol.asyncDispose]();
    await api.stack?.[Symbol.asyncDispose]();
  });
  return api;
}
