import { randomInt } from 'node:crypto';

const SEEDS = 2 ** 31;

/** Seed of a new order, for the parameter of `shuffledBy`. */
export const shuffleSeed = (): number => randomInt(SEEDS);

/**
 * SQL: orders rows by a UUID column as `random()` would, by a seed in a parameter. Citus accepts no volatile function in
 * an UPDATE.
 */
export const shuffledBy = (column: string, parameter: number): string =>
  `uuid_hash_extended(${column}, $${parameter}::bigint)`;
