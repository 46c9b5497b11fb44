import { MERGE_COUNTED_MAX } from '@florin/contract/resources/customer-merges.ts';
import { Alert, Stack, Table, Text } from '@mantine/core';
import type { Ref } from 'react';
import type { Attributes, RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';

interface Props {
  readonly merge: Attributes<'customer_merges'>;
  readonly source: RecordOf<'customers'>;
  readonly target: RecordOf<'customers'>;
}

/** Types that a merge moves, in the order of the preview. */
const MOVED = [
  'payment_demands',
  'payment_subscriptions',
  'payment_methods',
  'consumer_addresses',
  'payment_links',
] as const;

interface PreviewProps extends Props {
  /** Element that takes the focus. */
  readonly ref: Ref<HTMLDivElement>;
}

/** Records that a merge moves, attributes of the source that are dropped, and that a merge is final. */
export function MergePreview({ ref, merge, source, target }: PreviewProps) {
  const t = useTexts('customers');
  return (
    <Alert ref={ref} tabIndex={-1} title={t('merge_preview')}>
      <Stack gap="sm">
        <MovedCounts merge={merge} />
        {merge.duplicate_cards_count > 0 && (
          <Text size="sm">{t.count('merge_cards', merge.duplicate_cards_count)}</Text>
        )}
        {merge.differences.length > 0 && (
          <Differences names={merge.differences} source={source} target={target} />
        )}
        <Text size="sm">{t('merge_stays')}</Text>
        <Text size="sm" fw={600}>
          {t('merge_final')}
        </Text>
      </Stack>
    </Alert>
  );
}

/** Records that move, or have moved so far. */
export function MovedCounts({ merge }: Pick<Props, 'merge'>) {
  const t = useTexts('customers');
  const names = useNames();
  const locale = useLocale();
  const numberText = (count: number): string => new Intl.NumberFormat(locale).format(count);
  const moved = MOVED.map((type) => ({ type, count: merge[`${type}_count`] })).filter(
    ({ count }) => count > 0,
  );
  if (moved.length === 0) return <Text size="sm">{t('merge_nothing')}</Text>;
  return (
    <DefinitionPairs
      pairs={moved.map(({ type, count }) => ({
        key: type,
        term: names.type(type),
        value:
          merge.dry_run && count >= MERGE_COUNTED_MAX
            ? t('at_least', { figure: numberText(count) })
            : numberText(count),
      }))}
    />
  );
}

interface DifferencesProps extends Pick<Props, 'source' | 'target'> {
  readonly names: readonly string[];
}

/** Attributes of both customers that differ. The values of the target remain. */
function Differences({ names: fields, source, target }: DifferencesProps) {
  const t = useTexts('customers');
  const names = useNames();
  const textOf = ({ attributes }: RecordOf<'customers'>, field: string): string => {
    const value = attributes[field as keyof typeof attributes];
    if (value === null) return '–';
    if (field === 'locale') return names.value(String(value));
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <Table withRowBorders={false} layout="fixed" aria-label={t('merge_attribute')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('merge_attribute')}</Table.Th>
          <Table.Th scope="col">{t('merge_kept')}</Table.Th>
          <Table.Th scope="col">{t('merge_dropped')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{names.field(field)}</Table.Th>
            <Table.Td style={WRAP}>{textOf(target, field)}</Table.Td>
            <Table.Td style={WRAP}>{textOf(source, field)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const WRAP = { overflowWrap: 'anywhere' } as const;
