import { Alert, Text } from '@mantine/core';
import type { FetchedRecord } from '../../../api/queries.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Instant } from '../../../parts/value/instant.tsx';
import { useMergeOf } from './use-merges.ts';

/** Leads from a merged customer to the one who remains, and says why. */
export function MergedAlert({
  fetched: { record, included },
}: {
  readonly fetched: FetchedRecord<'customers'>;
}) {
  const t = useTexts('customers');
  const { merged_at } = record.attributes;
  const survivor = included.find(({ type }) => type === 'customers') as
    | RecordOf<'customers'>
    | undefined;
  if (!merged_at) return null;
  return (
    <Alert color="blue" variant="light" title={t('merged')}>
      <Text size="sm">
        {survivor && (
          <ScopedLink to={recordPath('customers', survivor.id)} underline="always" c="inherit">
            {t('open_customer', { name: survivor.attributes.name || survivor.attributes.email })}
          </ScopedLink>
        )}
        {' · '}
        <Instant at={merged_at} />
      </Text>
      <MergeReason source={record.id} />
    </Alert>
  );
}

function MergeReason({ source }: { readonly source: string }) {
  const t = useTexts('customers');
  const reason = useMergeOf(source)?.attributes.reason;
  if (!reason) return null;
  return (
    <Text size="sm" mt="xs">
      {t('merged_reason', { reason })}
    </Text>
  );
}
