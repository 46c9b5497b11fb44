import type { JsonMembers } from './members.ts';

/** Longest duration of a setting or a step of the clock, in milliseconds. */
export const DURATION_MS_MAX = 366 * 24 * 60 * 60_000;

/** Whether a value is a duration in milliseconds that settings accept. */
export const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= DURATION_MS_MAX;

/** Durations of settings, in milliseconds. Returns a text that names the first invalid member. */
export function durationsOf<Name extends string>(
  members: JsonMembers,
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> | string {
  const durations: Record<string, number> = { ...defaults };
  for (const name of Object.keys(defaults)) {
    const value = members[name] ?? durations[name];
    if (!isDuration(value)) return `${name} must be milliseconds from 0 to ${DURATION_MS_MAX}.`;
    durations[name] = value;
  }
  return durations as Record<Name, number>;
}
