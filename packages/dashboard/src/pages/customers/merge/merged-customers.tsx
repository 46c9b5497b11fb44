import { Text } from '@mantine/core';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { listPath, recordPath } from '../../../parts/page/record-path.ts';
import { Section } from '../../../parts/record/section.tsx';
import { includedByKey, relatedOf } from '../../../parts/table/column.ts';
import { SimpleTable } from '../../../parts/table/simple-table.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { useMergesInto } from './use-merges.ts';

/** Customers who were merged into this one, each with the reason that the team gave. */
export function MergedCustomers({ target }: { readonly target: string }) {
  const t = useTexts('customers');
  const { page } = useMergesInto(target);
  if (!page?.data.length) return null;
  const included = includedByKey(page.included ?? []);
  return (
    <Section title={t('merged_customers')}>
      <SimpleTable
        label={t('merged_customers')}
        heads={[t('customer'), t('merge_reason')]}
        rows={page.data.map((merge) => ({
          key: merge.id,
          cells: [
            <Merged
              key="customer"
              customer={relatedOf(merge, included)('source')}
              at={merge.attributes.created_at}
            />,
            merge.attributes.reason ?? '–',
          ],
        }))}
      />
      {page.links?.next && <AllMerges target={target} />}
    </Section>
  );
}

interface MergedProps {
  readonly customer: Resource | undefined;
  readonly at: string | null;
}

/** Name and time in one cell, so that the reason has room on a phone. */
function Merged({ customer, at }: MergedProps) {
  const name = customer && String(customer.attributes.name || customer.attributes.email);
  return (
    <>
      {customer ? <ScopedLink to={recordPath('customers', customer.id)}>{name}</ScopedLink> : '–'}
      {at && (
        <Text size="xs" c="dimmed">
          <Instant at={at} day />
        </Text>
      )}
    </>
  );
}

function AllMerges({ target }: { readonly target: string }) {
  const t = useTexts('records');
  const what = useTexts('customers')('merged_customers');
  return (
    <Text size="sm" mt="sm">
      <ScopedLink
        to={listPath('customer_merges')}
        search={{ 'filter[target]': target, 'filter[dry_run]': 'false' }}
        aria-label={t('show_all_of', { what })}
      >
        {t('show_all')}
      </ScopedLink>
    </Text>
  );
}
