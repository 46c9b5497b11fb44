/**
 * End of the longest small enough slice from `from`: the whole range, or a half, a quarter, and so on. A
 * slice of one unit is accepted at any size.
 */
export async function narrowSlice(
  from: bigint,
  to: bigint,
  isSmall: (to: bigint) => Promise<boolean>,
): Promise<bigint> {
  let end = to;
  while (end - from > 1n && !(await isSmall(end))) end = from + (end - from) / 2n;
  return end;
}
