const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 7 * 86_400,
};

/** Returns the seconds of a duration such as `90s`, `15m`, `12h`, `31d` or `2w`; undefined if it is invalid. */
export function secondsOf(span: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhdw])$/.exec(span) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
  return seconds > 0 ? seconds : undefined;
}
