import { type RoleName, roleNames, roleSlugs } from '@florin/contract/roles.ts';

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

/** Counts permissions that a custom role has beyond a role, and those that the custom role lacks. */
export function differenceFrom(role: RoleName, slugs: readonly string[]): Difference {
  const ofRole = new Set(roleSlugs(role));
  const shared = slugs.filter((slug) => ofRole.has(slug)).length;
  return { added: slugs.length - shared, removed: ofRole.size - shared };
}
