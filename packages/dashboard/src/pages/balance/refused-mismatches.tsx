import { checkRules } from '@florin/contract/risk/check-rules.ts';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import { useRecord } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';

/** Rules about the issuer's checks, which refuse payments after their approval. */
export function RefusedMismatches() {
  const merchants = useList('merchants');
  const id = merchants.data?.pages[0]?.data[0]?.id;
  return id ? <MismatchRules id={id} /> : null;
}

function MismatchRules({ id }: { readonly id: string }) {
  const t = useTexts('balance');
  const names = useNames();
  const can = useCan();
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useRecord('merchants', id);
  const reload = () => void query.refetch();
  if (query.error) return <ProblemAlert error={query.error} onRetry={reload} />;
  if (!query.data) return <Loading />;
  const refused: readonly string[] = query.data.record.attributes.refused_mismatches ?? [];
  return (
    <Section
      title={t('mismatches')}
      actions={
        can('user.merchants.update') && (
          <Button size="xs" variant="default" onClick={open}>
            {t('mismatches_edit')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t('mismatches_hint')}
      </Text>
      <DefinitionPairs
        pairs={checkRules.map((rule) => ({
          key: rule,
          term: names.value(rule),
          value: t(refused.includes(rule) ? 'mismatch_refused' : 'mismatch_accepted'),
        }))}
      />
      <EditDialog
        type="merchants"
        only={['refused_mismatches']}
        title={t('mismatches')}
        fetched={query.data}
        isOpen={isOpen}
        onClose={close}
        reload={reload}
      />
    </Section>
  );
}
