import { useDashboard } from '../../api/queries.ts';
import type { Mode } from '../../api/types.ts';
import type { ProcessorAccount, ProcessorKind } from './types.ts';

/** Reads the processors with an adapter. */
export const useProcessorKinds = () =>
  useDashboard<{ data: readonly ProcessorKind[] }>('operator/processors');

/** Reads all accounts, oldest first. */
export const useProcessorAccounts = () =>
  useDashboard<{ data: readonly ProcessorAccount[] }>('operator/processor_accounts');

export const MODES: readonly Mode[] = ['live', 'sandbox'];

/** Returns the name of a processor, also of one whose adapter is gone. */
export function useProcessorName(): (processor: string) => string {
  const kinds = useProcessorKinds().data?.data ?? [];
  return (processor) => kinds.find(({ name }) => name === processor)?.display_name ?? processor;
}
