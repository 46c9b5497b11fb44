import { roleNames, roleSlugs } from '@florin/contract/roles.ts';

/** What a key may do: all that its maker may, a usual set, or what somebody ticks. */
export const permissionChoices = ['all', ...roleNames, 'custom'] as const;
export type PermissionChoice = (typeof permissionChoices)[number];

/** The slugs that a choice stands for, of those that the maker holds; undefined where the key gets all of these. */
export function chosenSlugs(
  choice: PermissionChoice,
  ticked: readonly string[],
  isHeld: (slug: string) => boolean,
): readonly string[] | undefined {
  if (choice === 'all') return undefined;
  return choice === 'custom' ? ticked : roleSlugs(choice).filter(isHeld);
}
