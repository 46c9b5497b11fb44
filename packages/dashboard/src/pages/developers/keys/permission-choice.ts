import { roleNames, roleSlugs } from '@florin/contract/roles.ts';

/** Permissions of a key: all permissions of its creator, those of a role, or a custom set. */
export const permissionChoices = ['all', ...roleNames, 'custom'] as const;
export type PermissionChoice = (typeof permissionChoices)[number];

/** Returns the slugs of a choice, limited to the creator's own. Undefined means all of them. */
export function chosenSlugs(
  choice: PermissionChoice,
  ticked: readonly string[],
  isHeld: (slug: string) => boolean,
): readonly string[] | undefined {
  if (choice === 'all') return undefined;
  return choice === 'custom' ? ticked : roleSlugs(choice).filter(isHeld);
}
