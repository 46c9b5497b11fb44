import { useMemo } from 'react';
import { useDashboard } from '../../api/queries.ts';
import type { Mode } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import type { ProcessorAccount, ProcessorKind } from './types.ts';

/** Reads the processors with an adapter. Labels and explanations of their fields are in the person's language. */
export function useProcessorKinds() {
  const t = useTexts('processor-fields');
  const query = useDashboard<{ data: readonly ProcessorKind[] }>('operator/processors');
  const { data } = query;
  const translated = useMemo(
    () => data && { data: data.data.map((kind) => withTexts(kind, t.find)) },
    [data, t],
  );
  return { ...query, data: translated };
}

/** A field without a text keeps the English one of its adapter. */
const withTexts = (
  { fields, ...kind }: ProcessorKind,
  find: (key: string) => string | undefined,
): ProcessorKind => ({
  ...kind,
  fields: fields.map((field) => {
    const key = `${kind.name}_${field.name}`;
    return { ...field, label: find(key) ?? field.label, help: find(`${key}_help`) ?? field.help };
  }),
});

/** Reads all accounts, oldest first. */
export const useProcessorAccounts = () =>
  useDashboard<{ data: readonly ProcessorAccount[] }>('operator/processor_accounts');

export const MODES: readonly Mode[] = ['live', 'sandbox'];

/** Returns the name of a processor, also of one whose adapter is gone. */
export function useProcessorName(): (processor: string) => string {
  const kinds = useProcessorKinds().data?.data ?? [];
  return (processor) => kinds.find(({ name }) => name === processor)?.display_name ?? processor;
}

const CHOICES = ['name', 'currencies', 'networks', 'descriptor'] as const;
const isChoice = (name: string): name is (typeof CHOICES)[number] =>
  (CHOICES as readonly string[]).includes(name);

/** Returns the label of an account's choice, setting or secret; technical names stay if the adapter is gone. */
export function useFieldLabel(processor: string): (name: string) => string {
  const t = useTexts('processors');
  const kinds = useProcessorKinds().data?.data ?? [];
  const fields = kinds.find(({ name }) => name === processor)?.fields ?? [];
  return (name) => {
    const label = fields.find((field) => field.name === name)?.label;
    return label ?? (isChoice(name) ? t(name) : name);
  };
}
