import { isCurrentType, type Resource } from '@florin/contract/resources/define-resource.ts';
import type { ResourceType } from '@florin/contract/resources/index.ts';
import { use } from 'react';

/** Resource definitions by type, without old names of types. */
export type Registry = Readonly<Record<ResourceType, Resource>>;

let loading: Promise<Registry> | undefined;

/** Loads the definitions separately, because they are a tenth of the scripts and some pages do not need them. */
export function loadRegistry(): Promise<Registry> {
  loading ??= import('@florin/contract/resources/index.ts').then(({ resources }) =>
    withoutOldNames(resources),
  );
  return loading;
}

const withoutOldNames = (registry: Registry): Registry =>
  Object.fromEntries(
    Object.entries(registry).filter(([, definition]) => isCurrentType(definition)),
  ) as Registry;

/** Returns all definitions; suspends until they are loaded. */
export const useRegistry = (): Registry => use(loadRegistry());

/** Whether an address segment names a type of the interface. */
export const isResourceType = (registry: Registry, type: string): type is ResourceType =>
  Object.hasOwn(registry, type);
