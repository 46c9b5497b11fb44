/**
 * Name of the constraint or unique index that refused a statement; undefined for any other error.
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return /^23/.test(String(code)) && typeof constraint === 'string' ? constraint : undefined;
}
