import { roleNames, roleSlugs } from '@florin/contract/roles.ts';

/** A set of permissions that a custom role starts from: those of a role, none, or those of the member. */
export const presets = ['current', 'none', ...roleNames] as const;
export type Preset = (typeof presets)[number];

/** Returns the permissions of a preset, limited to those that the person may grant. */
export function presetSlugs(
  preset: Preset,
  current: readonly string[],
  isHeld: (slug: string) => boolean,
): readonly string[] {
  if (preset === 'current') return current;
  return preset === 'none' ? [] : roleSlugs(preset).filter(isHeld);
}

export interface Difference {
  readonly added: number;
  readonly removed: number;
}

/** Permissions with which a custom role is compared: all of its preset. Undefined without a preset. */
export function comparedSlugs(
  preset: Preset,
  current: readonly string[],
): readonly string[] | undefined {
  if (preset === 'none') return undefined;
  return preset === 'current' ? current : roleSlugs(preset);
}

/** Counts permissions that a custom role has beyond those of its preset, and those that it lacks. */
export function differenceFrom(before: readonly string[], slugs: readonly string[]): Difference {
  const known = new Set(before);
  const shared = slugs.filter((slug) => known.has(slug)).length;
  return { added: slugs.length - shared, removed: known.size - shared };
}

/** How a permission differs from the preset; undefined if it does not. */
export type Change = 'added' | 'removed';

export function changeOf(isOn: boolean, wasOn: boolean): Change | undefined {
  if (isOn === wasOn) return undefined;
  return isOn ? 'added' : 'removed';
}
