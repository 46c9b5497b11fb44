/** Numbers of shards have six digits or more. */
const SHARD_NUMBER = /_\d{6,}$/;

/**
 * Name of the constraint or unique index that refused a statement; undefined for any other error. Citus adds the number of
 * a shard to the names of its copy.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return /^23/.test(String(code)) && typeof constraint === 'string'
    ? constraint.replace(SHARD_NUMBER, '')
    : undefined;
}
