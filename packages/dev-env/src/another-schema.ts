import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';
import { testSchema } from './config/env.ts';

// Without the variable, the files would only run a second time.
if (testSchema() === DEFAULT_SCHEMA)
  throw new Error('FLORIN_TEST_SCHEMA is not set in the project "another schema" of Vitest.');
