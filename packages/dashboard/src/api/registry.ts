import type { Resource } from '@florin/contract/resources/define-resource.ts';
import type { ResourceType } from '@florin/contract/resources/index.ts';
import { use } from 'react';

/** Every resource definition by its type. */
export type Registry = Readonly<Record<ResourceType, Resource>>;

let loading: Promise<Registry> | undefined;

/** Loaded separately: definitions are a tenth of the scripts, and not every page needs them. */
export function loadRegistry(): Promise<Registry> {
  loading ??= import('@florin/contract/resources/index.ts').then(({ resources }) => resources);
  return loading;
}

/** All definitions; suspends until they are loaded. */
export const useRegistry = (): Registry => use(loadRegistry());

/** Whether an address segment names a type of the interface. */
export const isResourceType = (registry: Registry, type: string): type is ResourceType =>
  Object.hasOwn(registry, type);
