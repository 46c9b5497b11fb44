/**
 * The end of the longest slice from `from` that is small enough: the whole range, or a half of it, or a half of that. A
 * slice of one unit is taken whatever it holds.
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
