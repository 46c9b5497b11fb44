import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { isStatus } from '../../api/errors.ts';
import { type Fetched, useUpdate } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { RecordForm } from '../../parts/form/record-form.tsx';
import { Section } from '../../parts/record/section.tsx';

interface Props {
  readonly fetched: Fetched<'disputes'>;
  /** Reads the dispute anew, where somebody else has changed it meanwhile. */
  readonly reload: () => void;
}

const STALE = 412;

/** What the bank is shown: it can be saved as often as one likes, and is sent once. */
export function EvidenceForm({ fetched, reload }: Props) {
  const t = useTexts('disputes');
  const records = useTexts('records');
  const notify = useNotify();
  const { fields } = useRegistry().disputes;
  const { record, etag } = fetched;
  const update = useUpdate('disputes', record.id, etag);
  const shown = useMemo(
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
      <RecordForm
        key={etag}
        fields={shown}
        attributes={record.attributes as AnyAttributes}
        submitText={records('save')}
        error={update.error}
        isPending={update.isPending}
        onSubmit={(draft) =>
          update.mutate(draft, {
            onSuccess: () => notify(records('saved')),
            onError: (error) => {
              if (isStatus(error, STALE)) reload();
            },
          })
        }
      />
    </Section>
  );
}
