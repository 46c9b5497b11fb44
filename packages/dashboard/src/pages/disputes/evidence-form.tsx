import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { LeaveGuard } from '../../parts/form/leave-guard.tsx';
import { RecordForm } from '../../parts/form/record-form.tsx';
import { isStale, Stale } from '../../parts/form/stale.tsx';
import { Section } from '../../parts/record/section.tsx';
import type { Evidence } from './use-evidence.ts';

/** Evidence for the bank. The merchant can save it any number of times and submit it once. */
export function EvidenceForm({ evidence }: { readonly evidence: Evidence }) {
  const t = useTexts('disputes');
  const records = useTexts('records');
  const notify = useNotify();
  const { fields } = useRegistry().disputes;
  const { edited, version, form, error, isPending, save, renew } = evidence;
  const shownFields = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(fields).filter(([name]) => (evidenceFields as string[]).includes(name)),
      ),
    [fields],
  );
  return (
    <Section title={t('evidence')}>
      <Text size="sm" mb="md">
        {t('evidence_hint')}
      </Text>
      <LeaveGuard form={form} />
      {isStale(error) && <Stale onReload={renew} />}
      <RecordForm
        key={version}
        handle={form}
        fields={shownFields}
        attributes={edited.record.attributes as AnyAttributes}
        submitText={records('save')}
        error={error}
        isPending={isPending}
        onSubmit={async (draft) => (await save(draft)) && notify(records('saved'))}
      />
    </Section>
  );
}
