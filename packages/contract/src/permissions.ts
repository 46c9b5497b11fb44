import type { Resource } from './resources/define-resource.ts';

export type Access = 'read' | 'create' | 'update';

export interface Permission {
  /** `<group>.<type>.<access>`, as listed in keys. */
  readonly slug: string;
  readonly description: string;
}

export const permissionSlug = (
  { group, type }: Pick<Resource, 'group' | 'type'>,
  access: Access,
): string => `${group}.${type}.${access}`;

/** All permissions of a registry, in the registry's order. */
export const permissionsOf = (registry: Readonly<Record<string, Resource>>): Permission[] =>
  Object.values(registry).flatMap((resource) =>
    Object.entries(describeAccess(resource)).map(([access, description]) => ({
      slug: permissionSlug(resource, access as Access),
      description,
    })),
  );

function describeAccess({
  type,
  deprecated_for,
  operations,
  actions = {},
  contents,
}: Resource): Partial<Record<Access, string>> {
  const records = type.replaceAll('_', ' ');
  const changes = [...(operations.includes('update') ? ['update'] : []), ...Object.keys(actions)];
  return {
    ...((operations.includes('list') || operations.includes('fetch')) && {
      read: deprecated_for
        ? `Read ${deprecated_for} under the deprecated name ${type}`
        : `List and fetch ${records}, and include them with other records`,
    }),
    ...((operations.includes('create') || contents) && { create: `Create ${records}` }),
    ...(changes.length > 0 && { update: `${toSentence(changes)} ${records}` }),
  };
}

/** Joins verbs to a text: `update, pause, resume` becomes `Update, pause and resume`. */
function toSentence(verbs: readonly string[]): string {
  const text = [verbs.slice(0, -1).join(', '), verbs.at(-1)].filter(Boolean).join(' and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
