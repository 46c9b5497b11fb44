import { testsPeopleApart } from './config/env.ts';

// Without the variable, the files would only run a second time.
if (!testsPeopleApart())
  throw new Error('FLORIN_TEST_PEOPLE_APART is not set in the project "people apart" of Vitest.');
