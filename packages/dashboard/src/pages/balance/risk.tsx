import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCan } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { CreateDialog } from '../../parts/form/create-dialog.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Section } from '../../parts/record/section.tsx';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { RefusedMismatches } from './refused-mismatches.tsx';

const kinds = {
  risk_list_entries: 'lists',
  velocity_limits: 'limits',
} as const;

/** Rules that accept or block payments before they are sent, or reverse them after their approval. */
export function Risk() {
  const t = useTexts('balance');
  return (
    <>
      <PageTitle title={t('risk')} />
      <Text mb="md" size="sm">
        {t('risk_hint')}
      </Text>
      <Stack gap="lg">
        <Rules type="risk_list_entries" />
        <Rules type="velocity_limits" />
        <RefusedMismatches />
      </Stack>
    </>
  );
}

/** Active rules; removed rules are in the generic record list. */
function Rules({ type }: { readonly type: keyof typeof kinds }) {
  const t = useTexts('balance');
  const records = useTexts('records');
  const can = useCan();
  const [isOpen, { open, close }] = useDisclosure(false);
  const kind = kinds[type];
  if (!can(`transaction.${type}.read`)) return null;
  return (
    <Section
      title={t(kind)}
      actions={
        can(`transaction.${type}.create`) && (
          <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={open}>
            {t(`${kind}_new`)}
          </Button>
        )
      }
    >
      <CreateDialog type={type} isOpen={isOpen} onClose={close} title={t(`${kind}_new`)} />
      <ResourceTable
        type={type}
        label={t(kind)}
        fixed={{ 'filter[removed_at]': 'null' }}
        empty={t(`${kind}_none`)}
        plain="linked"
      />
      <Text size="sm" mt="sm">
        <ScopedLink to={`records/${type}`} aria-label={records('show_all_of', { what: t(kind) })}>
          {records('show_all')}
        </ScopedLink>
      </Text>
    </Section>
  );
}
