/**
 * Every run tests the same cases, so that only a change of code can fail it. `FLORIN_TEST_SEED=2` tests other cases.
 */
export const DEFAULT_SEED = 2_075_260_897;
