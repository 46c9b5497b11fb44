/**
 * End of the longest slice from `from` that is small enough: the whole range, or a half, a quarter,
 * and so on. A slice of one unit is accepted whatever its size.
 */
export async function narrowed(
  from: bigint,
  to: bigint,
  isSmall: (to: bigint) => Promise<boolean>,
): Promise<bigint> {
  let end = to;
  while (end - from > 1n && !(await isSmall(end))) end = from + (end - from) / 2n;
  return end;
}
