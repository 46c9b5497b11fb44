import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll } from 'vitest';

const START_MS = 60_000;

/** A separate migrated database without rows for the tests of a file. */
export function useDatabase(): Pick<ClonedDatabase, 'url'> {
  let database: ClonedDatabase | undefined;
  beforeAll(async () => {
    database = await cloneDatabase();
  }, START_MS);
  afterAll(() => database?.[Symbol.asyncDispose]());
  return {
    get url() {
      if (!database) throw new Error('the database is there from the first test on');
      return database.url;
    },
  };
}
